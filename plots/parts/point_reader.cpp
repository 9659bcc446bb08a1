#include "plots/parts/point_reader.hpp"

#include <algorithm>

namespace rope::plots {

void PointReader::fill(std::size_t s) {
    constexpr std::size_t step = 64, most = 4096;  // 32 KiB
    first_ = s - s % step;
    const std::size_t left = points_ + 1 - first_;
    block_.resize(std::min(most, (left + step - 1) / step * step));
    series_->curve->fill(first_, block_);
}

}  // namespace rope::plots
