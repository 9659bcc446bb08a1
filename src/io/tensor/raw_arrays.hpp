// Files without a header.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rope/number/element.hpp"

namespace rope::io {

// How files without a header are read.
struct RawArrays {
    Element element;
    std::vector<std::uint64_t> shape;
};
// f64, f32, f16 or bf16; "4096,64". Throw InputError naming --raw and --shape.
Element parse_raw_element(const std::string& text);
std::vector<std::uint64_t> parse_raw_shape(const std::string& text);

}  // namespace rope::io
