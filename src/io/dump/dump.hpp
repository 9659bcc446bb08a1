// Arrays on disk -> tables, rotated vectors or frequencies, and how they were read.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "io/shape/dump_hints.hpp"
#include "io/shape/position_ids.hpp"
#include "io/tensor/readers/array.hpp"
#include "io/tensor/tensor_file.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/row_source.hpp"

namespace rope::io {

// Arrays on disk -> tables, rotated vectors or frequencies.

// cos and sin of [L, d/2] or [L, d] rows (d = rotary_dim), with axes of length 1 or a batch around
// L. d columns hold every value twice, as cat(f, f) or f0 f0 f1 f1; that is checked bit for bit.
// positions: [L], [1, L] or [B, L]; without them 0 … L − 1, for each of the batch. On A > 1 axes
// they may be [A, L] or [A, B, L], the table likewise. The dump reads the arrays' own bytes.
// Throws InputError naming both shapes when they do not fit.
TableDump table_dump(const NamedArray& cos, const NamedArray& sin, const StatedPositions& positions,
                     const DumpHints& asked);

// One array of both, in any layout of CacheLayout, or of the angles m·θ. Throws InputError
// likewise, and when its numbers leave the layout open.
TableDump table_dump(const NamedArray& both, const StatedPositions& positions,
                     const DumpHints& asked);

// Vectors before and after, such as [L, D], [L, H, D], [B, H, L, D] or [B, L, H, D] with
// D = head_dim, or [L, H·D] and [B, L, H·D] where the Spec or a hint says D: the sequence axis is
// the one as long as the positions; where that leaves a choice, the one along which vectors at one
// position keep their inner products. `before` may have its axes in another order than `after`,
// axes of length 1 more or less, and one head for several (repeat_kv). Rows of padding become 0.
// Ids may be those of the last rows alone, where all others come before them. Throws InputError
// likewise.
RotatedDump rotated_dump(const NamedArray& before, const NamedArray& after,
                         const StatedPositions& positions, const DumpHints& asked);

// [d/2], axes of length 1 around it; or [d], where d = rotary_dim, every one twice, as cat(f, f) or
// f0 f0 f1 f1.
FrequencyDump frequency_dump(const NamedArray& inv_freq, const DumpHints& asked);

// What the command line names: FILE, or FILE:MEMBER of one that holds several. Beside `dump` they
// are members of it; without them its tensors are found by their usual names.
struct DumpFiles {
    std::string dump;
    std::string cos, sin;  // a table,
    std::string cos_sin;   // or in one array,
    std::string angles;    // or as m·θ
    std::string inv_freq;  // frequencies
    std::string q, q_rot;  // vectors before and after
    std::string k, k_rot;
    std::string positions;              // of tables and vectors
    std::optional<RawArrays> raw = {};  // every other file is so
    MemoryLimit memory = {};            // of all of them
};

// One subject, judged separately.
struct NamedDump {
    std::string name;  // "table", "inv_freq", "q", "k"; "table 1", "table 2" if concatenated
    Dump dump;
    std::uint32_t lanes = 0;  // a table's rotary_dim, vectors' head_dim
    // The sequence length that chose its frequencies, where longrope's two tables are concatenated
    std::optional<std::uint64_t> seq_len = {};
};

// At least one; tables come first. Throws InputError (naming the file) or IoError.
std::vector<NamedDump> load_dump(const DumpFiles& files, const DumpHints& asked);
// The same from files that stay open (dump_tensors.hpp), so that they can be looked at twice.
class DumpTensors;
std::vector<NamedDump> load_dump(DumpTensors& tensors, const DumpHints& asked);

// How a dump was read, for its report.

// "9", from "shape [1, 9, 128]"
Assumption rows_read(std::uint64_t rows, const NamedArray& array);

// "0 … 2047", from "x.npz:position_ids"; of several axes each.
Assumption positions_read(const std::vector<double>& positions,
                          const std::vector<std::vector<double>>& more_positions,
                          const std::optional<NamedArray>& from);

// "102 of 400 rows", from "x.npz:attention_mask"
Assumption padding_read(std::uint64_t rows, std::uint64_t of_rows, const std::string& by);

// The one of that name, to say more of where it came from.
Assumption& assumption_named(std::vector<Assumption>& all, const std::string& what);

// Position encodings that rotate nothing, which may be mistaken for rotary tables.

// Throws InputError that says what the array is, where it is
//   a bias of ALiBi      −m·|i − j| of every head, [heads, L, L] or [L, L], what is masked aside;
//   or
//                        m·j of each key, [heads, 1, L]
//   a sinusoidal table   (sin pθ₀, cos pθ₀, sin pθ₁, …) of position p, [L, d]. The same sines and
//                        cosines in two halves are GPT-J's rotary cache, too, and are no mistake
void refuse_other_encodings(const NamedArray& array);

// Several tables one after the other in the rows of one array.

// The dump in the parts that start at position 0 each, or alone where it is one table. Its
// positions must be 0, 1, 2, …: vLLM keeps longrope's short and long table so, and those of several
// linear factors.
std::vector<TableDump> stacked_tables(const TableDump& dump);

}  // namespace rope::io
