// An array on its way into a file.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/tasks.hpp"
#include "io/file/write_file.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {

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

}  // namespace rope::io
