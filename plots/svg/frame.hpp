// From data coordinates to pixels of a plot area, whose y grows downward.
#pragma once

#include <algorithm>
#include <cmath>

#include "plots/svg/figure.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

// 0 at the axis' first value, 1 at its last. Not finite if the value is not, or ≤ 0 on log2.
inline double along(const Axis& axis, double value) {
    if (axis.scale == Scale::linear) return (value - axis.first) / (axis.last - axis.first);
    return std::log2(value / axis.first) / std::log2(axis.last / axis.first);
}

class Frame {
  public:
    Frame(const Panel& panel, const Box& box)
        : width(box.width), height(box.height), x_(panel.x), y_(panel.y) {}

    double x(double value) const { return bounded(along(x_, value) * width); }
    double y(double value) const { return bounded((1 - along(y_, value)) * height); }
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
    const Axis& x_;
    const Axis& y_;
};

}  // namespace rope::plots
