// NumPy's .npy, version 1.0, and .npz, stored: the same bytes every time.
#pragma once

#include <span>
#include <string>

#include "io/tensor/writers/written_array.hpp"

namespace rope::io {

// bfloat16, which NumPy does not have, is written as its bits in uint16.
void write_npy(const WrittenArray& array, const Sink& write);
std::string write_npy(const WrittenArray& array);

// In the order given; a bfloat16 array is the member NAME__bf16bits. Throws InputError where the
// archive would need zip64, at 4 GiB.
void write_npz(std::span<const WrittenArray> arrays, const Sink& write);

}  // namespace rope::io
