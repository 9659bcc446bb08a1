// The positions that a file states: as an array of them, or by what they follow from.
#pragma once

#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {

// The ways to read them, the likeliest first; at least one, which is empty where the file states
// none. --positions or else the first of
//   position_ids, positions, …             [L], [B, L], or with an axis for several positions
//   txt_ids, img_ids; ids                  [L, A], the former one after the other (Flux)
//   grid_sizes, grid_thw, …                [n, 3]: frames, rows and columns of n grids, whose
//   tokens
//                                          lie row by row or in blocks of 2 × 2
//   cu_seqlens, …                          [n + 1]: sequences packed into one start over there
//   segment_ids                            [L], [B, L]: positions start over at each other number
//   attention_mask                         [L], [B, L] of 0 and 1: positions count the ones
//   start_pos, offset, seqlen_offsets, …   one number, or one for each batch entry
// Beside ids of fewer rows, as of the current step, attention_mask may give those of the whole
// cache. Rows of padding, where the mask or the segment is 0 or that are behind the last sequence,
// are `kept` as 0. Beside attention_mask row numbers are right, too: both differ by one offset,
// which no score depends on. Throws InputError or IoError.
std::vector<StatedPositions> stated_positions(DumpTensors& tensors, const DumpHints& asked);

}  // namespace rope::io
