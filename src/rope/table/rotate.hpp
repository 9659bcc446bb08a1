// R(m)x in every form in use. All give the same numbers for the same rows; they differ in where
// the two lanes of a pair are and in how the table is laid out.
//
// x and the result have head_dim lanes; cos and sin belong to one position. Lanes beyond the
// rotary ones are copied. Throws InputError when lengths do not fit. Per pair (x1, x2):
//     y1 = x1·cos − x2·sin,   y2 = x2·cos + x1·sin
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "rope/spec/lanes.hpp"

namespace rope {

using Vector = std::vector<double>;
using Values = std::span<const double>;

// cos, sin [d/2]; the pairs of `layout`.
Vector rotate(PairLayout layout, Values x, Values cos, Values sin);

// The same for the lanes of a Spec.
Vector rotate(const Spec& spec, Values x, Values cos, Values sin);

}  // namespace rope
