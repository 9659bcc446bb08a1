// The positions that a file states, in arrays of ids or in arrays that ids follow from.
#pragma once

#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "io/shape/position_ids.hpp"

namespace rope::io {

// The readings of a file's positions, the likeliest first; one empty reading where the file states
// none. They come from --positions or else from the first of
//   position_ids, positions, …             [L], [B, L], or with an axis for several positions
//   txt_ids, img_ids; ids                  [L, A], joined in this order (Flux)
//   grid_sizes, grid_thw, …                [n, 3]: frames, rows and columns of n grids, whose rows
//                                          lie line by line, in blocks of 2 × 2, or in windows
//   cu_seqlens, …                          [n + 1]: packed sequences start over there
//   segment_ids                            [L], [B, L]: positions start over at each new number
//   attention_mask                         [L], [B, L] of 0 and 1: positions count the ones
//   start_pos, offset, seqlen_offsets, …   one number, or one for each batch entry
// Where position_ids are only those of the current step, attention_mask may give those of the whole
// cache. Rows of padding, where the mask or the segment is 0 or after the last sequence, are 0 in
// `kept`. With attention_mask row numbers are right, too: both differ by one offset, which no score
// depends on. Throws InputError or IoError.
std::vector<StatedPositions> stated_positions(DumpTensors& tensors, const DumpHints& asked);

// Returns ids [A, S] as those of A batch entries, each on all A axes, as text has them. None if the
// ids have another shape. Requires ids.
std::optional<StatedPositions> text_of_a_batch(const StatedPositions& stated, std::uint64_t axes);

}  // namespace rope::io
