// Writes arrays into files of each format, with the same bytes every time.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/tasks.hpp"
#include "io/system/write_file.hpp"
#include "io/tensor/array.hpp"

namespace rope::io {

// An array that is written to a file.
struct WrittenArray {
    std::string name;
    Array array;  // without bytes if `parts` makes them
    // The last axis, of 2, holds real and imaginary parts: <c8 or <c16 in NumPy's formats.
    bool is_complex = false;
    // Makes the bytes, some whole numbers at a time, and the same bytes at each call.
    std::function<void(const Sink&)> parts = {};
};

std::uint64_t byte_count(const WrittenArray& array);  // from its shape
void write_bytes(const WrittenArray& array, const Sink& write);
// The same array, whose bytes count for `bytes`: all of them now, each as ended when it is made.
WrittenArray counted(WrittenArray array, TaskCount* bytes);

// Numbers as owned bytes. Requires as many values as the shape needs, and that the element can hold
// each.
Array encoded(Element element, std::vector<std::uint64_t> shape, std::span<const double> values);
// Positions as int64 or, where one is not a whole number, float64.
Array encoded_positions(std::vector<std::uint64_t> shape, std::span<const double> positions);

// Makes `count` rows from `first` on, row-major.
using Rows = std::function<std::vector<double>(std::uint64_t first, std::uint64_t count)>;

// An array whose rows of `width` values are made as they are written.
WrittenArray row_array(std::string name, Element element, std::vector<std::uint64_t> shape,
                       std::uint64_t width, Rows rows);

// Writes NumPy's .npy, version 1.0. NumPy has no bfloat16, which is written as its bits in uint16.
void write_npy(const WrittenArray& array, const Sink& write);

// Writes NumPy's .npz, stored, in the order of the arrays. A bfloat16 array is the member
// NAME__bf16bits. Throws InputError if the archive would need zip64, at 4 GiB.
void write_npz(std::span<const WrittenArray> arrays, const Sink& write);

// Writes Hugging Face's .safetensors. Complex numbers are a last axis of 2.
void write_safetensors(std::span<const WrittenArray> arrays,
                       const std::map<std::string, std::string>& metadata, const Sink& write);

}  // namespace rope::io
