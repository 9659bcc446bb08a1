// NumPy's .npy, version 1.0, and .npz, stored: the same bytes every time.
#pragma once

#include <span>
#include <string>

#include "io/tensor/writers/written_array.hpp"

namespace rope::io {

// bfloat16, which NumPy does not have, is written as its bits in uint16.
std::string write_npy(const WrittenArray& array);
// What stands before the bytes of an array of this element and shape.
std::string npy_header(const WrittenArray& array);

// In the order given; a bfloat16 array is the member NAME__bf16bits. Throws InputError where the
// archive would need zip64, at 4 GiB.
std::string write_npz(std::span<const WrittenArray> arrays);

}  // namespace rope::io
