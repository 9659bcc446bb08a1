// Reads Hugging Face's .safetensors: a length, a JSON header, the tensors' bytes without a gap.
// https://github.com/huggingface/safetensors#format
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

inline constexpr std::uint64_t max_safetensors_header = std::uint64_t{16} << 20;

struct SafetensorsEntry {
    std::string dtype;  // "BF16"
    Shape shape;
    std::uint64_t begin = 0, end = 0;  // offsets in the file
};

struct Safetensors {
    std::map<std::string, SafetensorsEntry, std::less<>> tensors;
    std::map<std::string, std::string> metadata;  // __metadata__
};

// The metadata and the table of tensors. Does no I/O and reads no tensor. Throws ReadError for a
// header that is not strict JSON, for names that are given twice, and for tensors that overlap,
// leave a gap or do not have the bytes that their shape needs.
Safetensors list_safetensors(std::span<const std::byte> bytes);

// A tensor of F64, F32, F16, BF16, C64 (a last axis of 2) or integers. Throws ReadError for others.
Array read_safetensor(std::span<const std::byte> bytes, const std::string& name,
                      const SafetensorsEntry& entry);

}  // namespace rope::io
