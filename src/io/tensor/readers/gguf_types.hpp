// What GGUF numbers the types of its tensors, and how many bytes they take.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rope/number/element.hpp"

namespace rope::io {

struct GgufTensorType {
    std::uint32_t number;
    std::string_view name;
    std::uint64_t block_values, block_bytes;
    std::optional<Element> element = {};  // nothing where it is quantised
};

// Null for a type that this table does not have.
const GgufTensorType* find_gguf_tensor_type(std::uint32_t number);

}  // namespace rope::io
