// Which axes of vectors are the sequence and the batch, by how the vectors turn.
#pragma once

#include <optional>
#include <vector>

#include "io/shape/axis_turns.hpp"
#include "io/shape/vector_axes.hpp"

namespace rope::io {

inline constexpr double most_alike = 0x1p-8;  // how far bfloat16 moves an angle

// Two vectors at one position turn alike, so the angle between them stays: how far it does not,
// along every axis that would not be the sequence's or the batch's.
struct Turn {
    double most = 0;
    bool is_determined = true;  // along each of them
};
Turn turn_between(const Array& before, const Array& after, const VectorAxes& axes,
                  const Counted& counted);

// The candidate along whose heads vectors turn alike, if one does and the others do not.
std::optional<VectorAxes> turning_alike(const Array& before, const Array& after,
                                        const std::vector<VectorAxes>& found);

// What nobody rotated turns as at position 0, whatever its own: the candidate that the vectors
// which are moved do not contradict, if they do all others.
std::optional<VectorAxes> not_contradicted(const Array& before, const Array& after,
                                           const std::vector<VectorAxes>& found);

// What nobody rotated is wrong by any axis: by the longest, if every row is as it was and one is.
std::optional<VectorAxes> not_rotated(const Array& before, const Array& after,
                                      const std::vector<VectorAxes>& found);

}  // namespace rope::io
