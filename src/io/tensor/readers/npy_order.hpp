// NumPy's other orders of bytes and of axes, as row-major little-endian copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

// A copy of `bytes` in which every whole number of `size` bytes from `begin` on is reversed.
std::vector<std::byte> reversed_numbers(std::span<const std::byte> bytes, std::size_t begin,
                                        std::size_t size);

// Row-major, of an array whose first axis varies fastest. Of complex numbers the last axis, their
// parts, stays the fastest.
Array from_fortran_order(const Array& array, bool is_complex);

}  // namespace rope::io
