// Ticks of axes, and the axes that several figures have.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <vector>

#include "plots/parts/figure.hpp"

namespace rope::plots {

// Returns the multiples of 1, 2 or 5 times a power of ten in [first, last], at most this many (≥
// 2); only whole numbers if `are_whole`.
std::vector<Tick> decimal_ticks(double first, double last, int at_most, bool are_whole = false);

// Returns 0, step, 2·step, … ≤ last, for whole steps.
std::vector<Tick> multiples(double step, double last);

// Returns k·π/denominator for k = first … last: 0, π/2, π, 3π/2, 2π.
std::vector<Tick> pi_ticks(long first, long last, long denominator);

// Returns powers of two in [first, last], first > 0, at most this many (≥ 1): 2⁰, 2², 2⁴, …,
// including 2⁰ if it is in the range.
std::vector<Tick> power_of_two_ticks(double first, double last, int at_most);

// Returns the axis of pairs 0 … pairs − 1.
Axis pair_axis(std::size_t pairs);

// The range of the values that a logarithmic axis can show.
struct Extent {
    double least = std::numeric_limits<double>::infinity(), most = 0;
    bool has_below = false, has_above = false;  // values that are beyond an end

    void include(double y) {
        has_below = has_below || y <= 0;
        has_above = has_above || std::isinf(y);
        if (!std::isfinite(y) || y <= 0) return;
        least = std::min(least, y);
        most = std::max(most, y);
    }
    // Leaves values out that are not in [low, high].
    void limit(double low, double high) {
        has_below = has_below || least < low;
        has_above = has_above || most > high;
        least = std::max(least, low);
        most = std::min(most, high);
    }
};

// Returns the range of these values, and of the panel's levels and stored series.
Extent extent_of(const Panel& panel, std::initializer_list<double> values = {});

// Returns a log₂ axis around these values. `below` and `above`: the parts of their octaves, at
// least one, that stay free; more at an end with values beyond it, for their arrows and name. It
// has a tick at 1 if 1 is on it.
Axis log_axis(std::string label, Extent values, double below = 0.06, double above = 0.06);

// Gives panels with the same quantity, the label of the y axis, a common y axis that includes the
// axis of each. Panels with cells, and linear axes that are 16 times shorter, keep their axis.
void share_y_axes(std::vector<Panel>& panels);

}  // namespace rope::plots
