// The readers of .npy, .npz, .safetensors and GGUF.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/tensor/array.hpp"

namespace rope::io {

// The array of an .npy of version 1.0 to 3.0: floats, integers, or complex numbers as a last axis
// of 2. Fortran order and big-endian numbers are read into a copy; else the array views `bytes`.
// With `are_bfloat16_bits` the file must hold uint16 words, which are read as bfloat16. Throws
// ReadError; allocates only once all bytes that the header claims exist.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
Array read_npy(std::span<const std::byte> bytes, bool are_bfloat16_bits = false);

// A member of a zip archive, as its central directory describes it.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
struct ZipMember {
    std::string name;
    std::uint64_t crc = 0;  // CRC-32 that its content should have
    // offsets in the archive: local header, data, end of the data
    std::uint64_t begin = 0, data = 0, end = 0;
    std::uint64_t size = 0;  // of its content
    bool is_deflated = false;
};

// The members in the order of their data. Reads no content and copies nothing. Throws ReadError
// for encrypted, zip64 and overlapping members, for methods other than deflate, and for a directory
// that does not add up.
std::vector<ZipMember> list_zip_members(std::span<const std::byte> bytes);

// The content of a member: a part of `bytes` if it is stored, else unpacked bytes that `owner`
// keeps alive. Throws ReadError if its size or its CRC-32 is wrong.
struct ZipContent {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};
ZipContent zip_content(std::span<const std::byte> bytes, const ZipMember& member);

// The arrays of an .npz. The member NAME.npy is the array NAME, and the uint16 words of
// NAME__bf16bits.npy are the bfloat16 array NAME. Stored arrays view `bytes`; others are unpacked
// once. Throws ReadError, as the readers of its arrays do.
FileArrays list_npz(std::span<const std::byte> bytes);

// Hugging Face's .safetensors: a length, a JSON header, the tensors' bytes without a gap.
// https://github.com/huggingface/safetensors#format

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

// llama.cpp's GGUF of versions 2 and 3, little endian: metadata, a table of tensors, data.
// https://github.com/ggml-org/ggml/blob/master/docs/gguf.md

inline constexpr std::uint64_t max_gguf_keys = 10'000;
inline constexpr std::uint64_t max_gguf_tensors = 100'000;
inline constexpr std::uint64_t max_gguf_text = 65'535;    // of a key or a tensor's name
inline constexpr std::uint64_t max_gguf_numbers = 1'024;  // of an array that is kept

// Stands for an array of strings, or a longer one of numbers, as a tokenizer has.
inline constexpr const char* skipped_gguf_array = "a list that is too long";

struct GgufTensor {
    Shape shape;  // row-major: GGUF's dimensions in reverse
    std::uint32_t type = 0;
    std::uint64_t begin = 0, end = 0;  // offsets in the file; equal if the type is not known
};

// The contents of a file. A float32 value is the shortest decimal that rounds to it: 0.0707, not
// 0.07069999724626541.
struct Gguf {
    std::map<std::string, nlohmann::json, std::less<>> metadata;
    std::map<std::string, GgufTensor, std::less<>> tensors;
};

// The metadata and the table of tensors. `bytes` may be the head of a larger file of `file_size`
// bytes. Does no I/O and reads no tensor. Throws ReadError.
Gguf list_gguf(std::span<const std::byte> bytes, std::uint64_t file_size);

// A tensor of F64, F32, F16, BF16 or integers. Throws ReadError that names the type if a tensor
// is quantised.
Array read_gguf_tensor(std::span<const std::byte> bytes, const std::string& name,
                       const GgufTensor& tensor);

}  // namespace rope::io
