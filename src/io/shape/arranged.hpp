// Vectors before and after a rotation whose axes differ.
#pragma once

#include "io/tensor/readers/array.hpp"

namespace rope::io {

// `before` with the axes of `after`, whose rows are the same: axes in another order, of length 1 or
// not, several heads in one axis, and one head for several that follow each other (repeat_kv).
// `before` itself where both have one shape, where rows do not correspond, or could in several
// ways.
NamedArray arranged_as(const NamedArray& after, const NamedArray& before);

}  // namespace rope::io
