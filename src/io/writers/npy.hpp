// NumPy's .npy, version 1.0: C order, little endian.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "rope/element.hpp"

namespace rope::io {

// The whole file; value(i) is the i-th number, in row-major order. element is float32 or int64;
// requires that it holds each number.
std::string npy_bytes(Element element, std::span<const std::uint64_t> shape,
                      const std::function<double(std::uint64_t)>& value);

}  // namespace rope::io
