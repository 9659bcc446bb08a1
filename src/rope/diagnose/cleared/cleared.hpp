// What was done to a dump beside the rotation, taken out of it again.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "rope/evidence/hypothesis.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

struct Cleared {
    NamedMistake mistake;
    Dump dump;
    double times = 1;    // what a value is rounded by, as a multiple of that of the dump it is of
    double further = 0;  // and what is added to that, for amplitude 1
};

// Whether it is explained now: no other way is tried.
using IsExplained = std::function<bool(Cleared)>;

// Of a dump whose lanes are changed; each takes 8 bytes, before and after.
inline constexpr std::uint64_t most_changed_lanes = 3'000'000;

// Every lane multiplied by a number of its own, x as it is or as x·√d/|x|, which a norm's weights
// or a cache's scales of channels do:
//   y = w ⊙ R x   or   y = R (w ⊙ x)
// Nothing is tried where the weights are one number, or by no such rule, or where lanes are too
// many. Requires a row.
void clear_of_weights(const Spec& asked, const RotatedDump& dump, const IsExplained& is_explained);

// A bias, of every head its own:
//   y = R (x + b)   or   y = R x + b
// Nothing is tried where lanes are too many. Requires a row.
void clear_of_shift(const Spec& asked, const RotatedDump& dump, const IsExplained& is_explained);

// A Hadamard transform H of each n lanes, over √n, in Sylvester's order:
//   y = H R x   or   y = R H x
// as DeepSeek-V3.2's indexer does before it quantises (inference/model.py, rotate_activation).
void clear_of_transform(const Spec& asked, const RotatedDump& dump,
                        const IsExplained& is_explained);

// The Spec's rotation, and the same of the other layout's pairs before it or after it: both the
// layer and the kernel rotate, and they disagree. Nothing is tried of several axes, or of positions
// that are not whole.
void clear_of_other_rotation(const Spec& asked, const RotatedDump& dump,
                             const IsExplained& is_explained);

// Lanes that rotate at one end of the head and are written at the other, those that do not beside
// them. Requires a row.
std::optional<Cleared> cleared_of_moved_lanes(const Spec& asked, const RotatedDump& dump);

// Pairs that are multiplied by ζ_i^((m − c)/s), ζ_i = (2i/d + 0.4)/1.4, as xPos multiplies q, and k
// by the inverse (arXiv 2212.10554, §3.2).
std::optional<Cleared> cleared_of_xpos(const Spec& asked, const RotatedDump& dump);

// Vectors whose norms are those of the other ones of the file, row by row.
std::optional<Cleared> cleared_of_other_vectors(const RotatedDump& dump);

// Tables whose cos and sin are multiplied by different numbers, a and b: cos²/a² + sin²/b² = 1.
std::optional<Cleared> cleared_of_unequal_scale(const Spec& asked, const TableDump& table);

// Tables of whole multiples of 1/n, which a fixed-point format of 8 or 16 bits leaves.
std::optional<Cleared> cleared_of_fixed_point(const TableDump& table);

}  // namespace rope
