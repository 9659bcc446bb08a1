// Which rows of a dump tell the most.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace rope {

inline constexpr std::size_t most_samples = 256;

// The most diagnostic rows, by position: the first, the last, those around powers of two, and some
// between; where there are many, each position once if asked.
std::vector<std::size_t> diagnostic_rows(const std::vector<double>& positions, bool each_once,
                                         std::span<const double> also);

}  // namespace rope
