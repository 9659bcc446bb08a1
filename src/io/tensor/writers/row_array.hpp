// An array whose rows are made as they are written.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/tensor/writers/written_array.hpp"

namespace rope::io {

// Row-major: `count` rows from `first` on.
using Rows = std::function<std::vector<double>(std::uint64_t first, std::uint64_t count)>;

// Of a shape that holds whole rows of `width` values.
WrittenArray row_array(std::string name, Element element, std::vector<std::uint64_t> shape,
                       std::uint64_t width, Rows rows);

}  // namespace rope::io
