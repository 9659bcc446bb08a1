// Position encodings that rotate nothing, which may be mistaken for rotary tables.
#pragma once

#include "io/tensor/named_array.hpp"

namespace rope::io {

// Throws InputError that says what the array is, where it is
//   a bias of ALiBi      −m·|i − j| of every head, [heads, L, L] or [L, L], what is masked aside;
//   or
//                        m·j of each key, [heads, 1, L]
//   a sinusoidal table   (sin pθ₀, cos pθ₀, sin pθ₁, …) of position p, [L, d]. The same sines and
//                        cosines in two halves are GPT-J's rotary cache, too, and are no mistake
void refuse_other_encodings(const NamedArray& array);

}  // namespace rope::io
