#include "plots/svg/series_pixels.hpp"

#include <cmath>

namespace rope::plots {

SeriesPixels to_pixels(const Series& series, const Frame& frame) {
    SeriesPixels pixels;
    pixels.x.reserve(series.x.size());
    pixels.y.reserve(series.y.size());
    for (const double x : series.x) pixels.x.push_back(frame.x(x));
    for (const double y : series.y) pixels.y.push_back(frame.y(y));
    return pixels;
}

std::vector<std::size_t> drawn_dots(const SeriesPixels& at, const Frame& frame) {
    const double apart = at.x.size() <= few_dots ? 0 : 1;
    double last_x = -1e9, last_y = -1e9;
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < at.x.size(); ++i) {
        if (!frame.holds(at.x[i], at.y[i])) continue;
        if (std::abs(at.x[i] - last_x) < apart && std::abs(at.y[i] - last_y) < apart) continue;
        drawn.push_back(i);
        last_x = at.x[i];
        last_y = at.y[i];
    }
    return drawn;
}

}  // namespace rope::plots
