// The length of a row, or of some lanes of it.
#pragma once

#include <cmath>
#include <cstdint>

#include "rope/number/element.hpp"

namespace rope {

// Of the lanes `first` … `end` − 1.
inline double norm_of(const StridedRows& vectors, std::uint64_t row, std::uint64_t first,
                      std::uint64_t end) {
    double sum = 0;
    for (std::uint64_t lane = first; lane < end; ++lane) {
        const double x = vectors.at(row, lane);
        sum += x * x;
    }
    return std::sqrt(sum);
}

}  // namespace rope
