// The header of a .npy: a magic, a version, and a Python dict literal with three keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

struct NpyHeader {
    std::string descr;  // "<f4"
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0;
};

inline constexpr std::size_t max_npy_header = 65'535;
inline constexpr std::size_t max_npy_axes = 32;

ReadResult<NpyHeader> read_npy_header(std::span<const std::byte> bytes);

}  // namespace rope::io
