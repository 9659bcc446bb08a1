// An array on its way into a file.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

struct WrittenArray {
    std::string name;
    Array array;
    // The last axis, of 2, holds real and imaginary parts: <c8 or <c16 in NumPy's formats.
    bool is_complex = false;
};

// Numbers as owned bytes. Requires as many values as the shape needs, and that each is
// one of the element's.
Array encoded(Element element, std::vector<std::uint64_t> shape, std::span<const double> values);
// As int64 or, where one is no whole number, float64.
Array encoded_positions(std::vector<std::uint64_t> shape, std::span<const double> positions);

}  // namespace rope::io
