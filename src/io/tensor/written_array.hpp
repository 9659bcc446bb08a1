// Arrays on their way into files of each format: the same bytes every time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tasks.hpp"
#include "io/file/write_file.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {

// An array on its way into a file.

struct WrittenArray {
    std::string name;
    Array array;  // without its bytes where `parts` makes them
    // The last axis, of 2, holds real and imaginary parts: <c8 or <c16 in NumPy's formats.
    bool is_complex = false;
    // Makes the bytes, some whole numbers at a time, and the same ones at each call.
    std::function<void(const Sink&)> parts = {};
};

// By its shape.
std::uint64_t byte_count(const WrittenArray& array);
void write_bytes(const WrittenArray& array, const Sink& write);
// The same one, whose bytes are added to `bytes` and, as they are made, to those that have ended.
WrittenArray counted(WrittenArray array, TaskCount* bytes);
std::string_view text_of(std::span<const std::byte> bytes);

// Numbers as owned bytes. Requires as many values as the shape needs, and that each is
// one of the element's.
Array encoded(Element element, std::vector<std::uint64_t> shape, std::span<const double> values);
// As int64 or, where one is no whole number, float64.
Array encoded_positions(std::vector<std::uint64_t> shape, std::span<const double> positions);

// An array whose rows are made as they are written.

// Row-major: `count` rows from `first` on.
using Rows = std::function<std::vector<double>(std::uint64_t first, std::uint64_t count)>;

// Of a shape that holds whole rows of `width` values.
WrittenArray row_array(std::string name, Element element, std::vector<std::uint64_t> shape,
                       std::uint64_t width, Rows rows);

// NumPy's .npy, version 1.0, and .npz, stored: the same bytes every time.

// bfloat16, which NumPy does not have, is written as its bits in uint16.
void write_npy(const WrittenArray& array, const Sink& write);
std::string write_npy(const WrittenArray& array);

// In the order given; a bfloat16 array is the member NAME__bf16bits. Throws InputError where the
// archive would need zip64, at 4 GiB.
void write_npz(std::span<const WrittenArray> arrays, const Sink& write);

// Hugging Face's .safetensors: the same bytes every time.

// Complex numbers are a last axis of 2.
void write_safetensors(std::span<const WrittenArray> arrays,
                       const std::map<std::string, std::string>& metadata, const Sink& write);

}  // namespace rope::io
