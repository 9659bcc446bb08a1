#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace rope {

// The upper one of an even number; NaN of none.
inline double median_of(std::vector<double> values) {
    if (values.empty()) return NAN;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

}  // namespace rope
