#include "plots/parts/series.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rope::plots {

void PointReader::fill(std::size_t s) {
    constexpr std::size_t step = 64, most = 4096;  // 4096 numbers: 32 KiB
    first_ = s - s % step;
    const std::size_t left = points_ + 1 - first_;
    block_.resize(std::min(most, (left + step - 1) / step * step));
    series_->curve->fill(first_, block_);
}

void ColumnReduction::close() {
    if (!bin_) return;
    const auto points = static_cast<double>(bin_->points);
    const double mean = std::clamp(bin_->sum_y / points, bin_->low, bin_->high);
    runs_.back().push_back(
        {bin_->sum_x / points, bin_->low, mean, bin_->high, bin_->points, bin_->first, bin_->last});
    bin_.reset();
}

void ColumnReduction::add(double pixel, double y, double x) {
    if (!(pixel >= 0 && pixel <= width_)) return;
    if (!std::isfinite(y)) {
        close();
        if (!runs_.back().empty()) runs_.emplace_back();
        return;
    }
    const double column = std::min(std::floor(pixel), std::ceil(width_) - 1);
    if (bin_ && bin_->column != column) close();
    if (!bin_) bin_ = Bin{column, 0, 0, y, y, 0, x, x};
    bin_->sum_x += pixel;
    bin_->sum_y += y;
    bin_->low = std::min(bin_->low, y);
    bin_->high = std::max(bin_->high, y);
    ++bin_->points;
    bin_->last = x;
}

std::vector<Run> ColumnReduction::finish() && {
    close();
    if (runs_.back().empty()) runs_.pop_back();
    return std::move(runs_);
}

}  // namespace rope::plots
