// Bytes of a file -> an array, once a shape and a type have been read somewhere.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

// Where an array's data lie in a file, and where the file gives their shape.
struct DataPlace {
    std::uint64_t begin, end;
    std::uint64_t told;
};

// Refuses a shape that the data do not fill exactly, more than max_array_values, and integers
// that no double holds. Requires place.begin <= place.end <= bytes.size().
ReadResult<Array> typed_array(std::span<const std::byte> bytes, DataPlace place,
                              std::vector<std::uint64_t> shape, Element element);

// A file without a header, numbers only.
ReadResult<Array> read_raw(std::span<const std::byte> bytes, Element element,
                           std::vector<std::uint64_t> shape);

}  // namespace rope::io
