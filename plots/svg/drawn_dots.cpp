#include "plots/svg/drawn_dots.hpp"

#include <cmath>

#include "plots/svg/point_reader.hpp"

namespace rope::plots {

std::vector<Dot> drawn_dots(const Series& series, const Frame& frame) {
    const double apart = series.points() <= few_dots ? 0 : 1;
    double last_x = -1e9, last_y = -1e9;
    std::vector<Dot> drawn;
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double px = frame.x(at.x()), py = frame.y(at.y());
        if (!frame.holds(px, py)) continue;
        if (std::abs(px - last_x) < apart && std::abs(py - last_y) < apart) continue;
        drawn.push_back({at.x(), at.y(), px, py});
        last_x = px;
        last_y = py;
    }
    return drawn;
}

}  // namespace rope::plots
