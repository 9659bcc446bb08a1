// From data coordinates to pixels of a plot area, whose y grows downward.
#pragma once

#include <algorithm>
#include <cmath>

#include "plots/parts/figure.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

// A value's place along an axis: 0 at its first value, 1 at its last. Not finite if the value is
// not, or ≤ 0 on log2.
class Place {
  public:
    explicit Place(const Axis& axis)
        : scale_(axis.scale), first_(axis.first), length_(from_first(axis.last)) {}

    double of(double value) const { return from_first(value) / length_; }

  private:
    double from_first(double value) const {
        return scale_ == Scale::linear ? value - first_ : std::log2(value / first_);
    }

    Scale scale_;
    double first_, length_;
};

class Frame {
  public:
    Frame(const Panel& panel, const Box& box)
        : width(box.width), height(box.height), x_(panel.x), y_(panel.y) {}

    double x(double value) const { return bounded(x_.of(value) * width); }
    double y(double value) const { return bounded((1 - y_.of(value)) * height); }
    // false for NaN
    bool holds(double px, double py) const {
        const auto within = [](double p, double length) {
            return p >= -slack && p <= length + slack;
        };
        return within(px, width) && within(py, height);
    }

    const double width, height;

  private:
    static constexpr double slack = 1e-6;  // an end computed from the data is still inside
    // far outside is as good as outside, and cannot overflow; ±∞ and NaN stay what they are
    static double bounded(double p) { return std::isfinite(p) ? std::clamp(p, -1e4, 1e4) : p; }
    Place x_, y_;
};

}  // namespace rope::plots
