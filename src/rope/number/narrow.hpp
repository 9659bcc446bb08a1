// The format of values that are stored in a wider one.
#pragma once

#include <cstdint>
#include <optional>

#include "rope/number/element.hpp"

namespace rope {

// bfloat16 or float16 if every value is one of its numbers though it is stored in float32 or
// float64, as NumPy saves bfloat16. None where too few values tell: zeros and powers of two are
// numbers of every format.
std::optional<Format> narrower_format(const StridedRows& values, std::uint64_t rows,
                                      std::uint64_t columns);

}  // namespace rope
