// NumPy's .npy, versions 1.0 to 3.0: floats, integers, and complex numbers as a last axis of 2.
// Fortran order and big-endian numbers are read into a copy.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <span>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

// Does no I/O; allocates only once the bytes that the header claims are seen to be there.
ReadResult<Array> read_npy(std::span<const std::byte> bytes);

// uint16 words that are bfloat16 bits, as they are saved where NumPy has no such type.
ReadResult<Array> read_npy_bfloat16_bits(std::span<const std::byte> bytes);

}  // namespace rope::io
