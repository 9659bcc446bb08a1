// Reads llama.cpp's GGUF of versions 2 and 3, little endian: metadata, a table of tensors, data.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

inline constexpr std::uint64_t max_gguf_keys = 10'000;
inline constexpr std::uint64_t max_gguf_tensors = 100'000;
inline constexpr std::uint64_t max_gguf_text = 65'535;    // of a key or a tensor's name
inline constexpr std::uint64_t max_gguf_numbers = 1'024;  // of an array that is kept

struct GgufSkipped {};  // an array of strings, or a longer one of numbers, as a tokenizer has
using GgufValue = std::variant<std::uint64_t, std::int64_t, float, double, bool, std::string_view,
                               std::vector<double>, GgufSkipped>;

struct GgufTensor {
    Shape shape;  // row-major: GGUF's dimensions in reverse
    std::uint32_t type = 0;
    std::uint64_t begin = 0, end = 0;  // offsets in the file; equal where the type is not known
};

// The contents of a file; strings view the bytes that they were read from.
struct Gguf {
    std::map<std::string, GgufValue, std::less<>> metadata;
    std::map<std::string, GgufTensor, std::less<>> tensors;
};

// The metadata and the table of tensors. `bytes` may be the head of a larger file of `file_size`
// bytes. Does no I/O and reads no tensor. Throws ReadError.
Gguf list_gguf(std::span<const std::byte> bytes, std::uint64_t file_size);

// A tensor of F64, F32, F16, BF16 or integers. Throws ReadError that names the type where a tensor
// is quantised.
Array read_gguf_tensor(std::span<const std::byte> bytes, const std::string& name,
                       const GgufTensor& tensor);

}  // namespace rope::io
