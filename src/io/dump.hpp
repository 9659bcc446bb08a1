// Arrays on disk -> somebody's tables or rotated vectors.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "io/readers/array.hpp"
#include "rope/row_source.hpp"
#include "rope/spec.hpp"

namespace rope::io {

using Dump = std::variant<TableDump, RotatedDump>;

// An array and the name that messages and origins call it by.
struct NamedArray {
    std::string name;
    Array array;
};

// cos and sin of [L, d/2] or [L, d] rows (d = rotary_dim), with axes of length 1 or a batch around
// L. d columns hold every value twice, as cat(f, f) or f0 f0 f1 f1; that is checked bit for bit.
// positions: [L], [1, L] or [B, L]; without them 0 … L − 1, for each of the batch.
// Where the Spec has A > 1 axes, positions may be [A, L] or [A, B, L].
// Throws InputError naming both shapes when they do not fit.
TableDump table_dump(const NamedArray& cos, const NamedArray& sin,
                     const std::optional<NamedArray>& positions, const Spec& spec);

// Vectors before and after, such as [L, D], [L, H, D], [B, H, L, D] or [B, L, H, D] with
// D = head_dim: the sequence axis is the one as long as the positions. Where that leaves a choice,
// `axes` makes it, one letter an axis: s the sequence, d the lanes, b the batch, h the heads.
// Throws InputError likewise.
RotatedDump rotated_dump(const NamedArray& before, const NamedArray& after,
                         const std::optional<NamedArray>& positions, std::string_view axes,
                         const Spec& spec);

// What the command line names: .npy files, or members of an .npz as "file.npz:cos".
struct DumpFiles {
    std::string npz;            // cos and sin, else q and q_rot; position_ids or positions
    std::string cos, sin;       // or a table in two files
    std::string before, after;  // or vectors in two files
    std::string positions;      // optional, of either
    std::string axes;           // optional, as above
};

// Throws InputError (naming the file) or IoError.
Dump load_dump(const DumpFiles& files, const Spec& spec);

}  // namespace rope::io
