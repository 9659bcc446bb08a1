#include "plots/parts/series.hpp"

#include <algorithm>

namespace rope::plots {

void PointReader::fill(std::size_t s) {
    constexpr std::size_t step = 64, most = 16384;  // numbers: 128 KiB
    first_ = s - s % step;
    const std::size_t left = points_ + 1 - first_;
    block_.resize(std::min(most, (left + step - 1) / step * step));
    series_->curve->fill(first_, block_);
}

void ColumnReduction::close() {
    if (!pixel_) return;
    Column& column = runs_.back().back();
    const auto points = static_cast<double>(column.points);
    column.x /= points;
    column.mean = std::clamp(column.mean / points, column.low, column.high);
    pixel_.reset();
}

void ColumnReduction::add(double pixel, double y, double x) {
    if (width_ ? !(pixel >= 0 && pixel <= *width_) : !std::isfinite(pixel)) return;
    if (!std::isfinite(y)) {
        close();
        if (!runs_.back().empty()) runs_.emplace_back();
        return;
    }
    const double at = width_ ? std::min(std::floor(pixel), std::ceil(*width_) - 1) : pixel;
    if (pixel_ && (pixel_ != at || !width_)) close();
    if (!pixel_) runs_.back().push_back({0, y, 0, y, 0, x, x});
    pixel_ = at;
    Column& column = runs_.back().back();
    column.x += pixel;
    column.mean += y;
    column.low = std::min(column.low, y);
    column.high = std::max(column.high, y);
    ++column.points;
    column.last = x;
}

std::vector<Run> ColumnReduction::finish() && {
    close();
    if (runs_.back().empty()) runs_.pop_back();
    return std::move(runs_);
}

}  // namespace rope::plots
