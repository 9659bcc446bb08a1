// Rotated vectors that a cache of few bits rounded to multiples of a step.
#pragma once

#include <optional>
#include <string>

#include "io/tensor/readers/array.hpp"
#include "rope/subject/dump.hpp"

namespace rope::io {

// "4-bit steps in blocks of 32 dimensions": the values that share a step, of 2 to 8 bits, with or
// without a zero point: blocks of a row (q8_0, q4_0), a row, a head, or one dimension of a head in
// all its rows (KIVI). Nothing where values are no such multiples, are fewer than 16 for each step,
// or are rounded to 16 bits themselves, which leaves no steps to see.
std::optional<std::string> quantisation_of(const Array& vectors, const RowGrid& grid);

}  // namespace rope::io
