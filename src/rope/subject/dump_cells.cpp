#include "rope/subject/dump_cells.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/exact/elementary.hpp"

namespace rope {

void TableCells::read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const {
    cos_.read(row, pairs.first, pairs.count, cos);
    sin_.read(row, pairs.first, pairs.count, sin);
}

RotatedCells::RotatedCells(const Spec& spec, StridedRows before, StridedRows after, Format format)
    : before_(std::move(before)),
      after_(std::move(after)),
      width_(spec.head_dim),
      least_(least_telling_norm(format)) {
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        read_.push_back(lanes_of_pair(spec, i));
        written_.push_back(written_lanes_of_pair(spec, i));
    }
}

void RotatedCells::read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const {
    if (pairs.count == 1) return read_pair(row, pairs.first, cos, sin);
    std::vector<double> x(width_), y(width_);
    before_.read(row, 0, width_, x.data());
    after_.read(row, 0, width_, y.data());
    for (std::uint32_t j = 0; j < pairs.count; ++j) {
        const Lanes from = read_[pairs.first + j], to = written_[pairs.first + j];
        recover(row, pairs.first + j, {x[from.first], x[from.second]}, {y[to.first], y[to.second]},
                cos[j], sin[j]);
    }
}

void RotatedCells::read_pair(std::uint64_t row, std::uint32_t pair, double* cos,
                             double* sin) const {
    const Lanes from = read_[pair], to = written_[pair];
    recover(row, pair, {before_.at(row, from.first), before_.at(row, from.second)},
            {after_.at(row, to.first), after_.at(row, to.second)}, *cos, *sin);
}

void RotatedCells::recover(std::uint64_t row, std::uint32_t pair, Pair x, Pair y, double& cos,
                           double& sin) const {
    const double norm = x.first * x.first + x.second * x.second;
    if (norm < least_ * least_ && is_left_out(row, pair)) {
        cos = sin = std::numeric_limits<double>::quiet_NaN();
        return;
    }
    cos = (y.first * x.first + y.second * x.second) / norm;
    sin = (y.second * x.first - y.first * x.second) / norm;
}

std::uint64_t RotatedCells::count_left_out(std::uint64_t rows) const {
    std::uint64_t count = 0;
    std::vector<double> x(width_);
    for (std::uint64_t row = 0; row < rows; ++row) {
        before_.read(row, 0, width_, x.data());
        const auto is_small = [&](double lane) { return !(std::abs(lane) >= least_); };
        if (std::none_of(x.begin(), x.end(), is_small)) continue;
        for (std::uint32_t pair = 0; pair < read_.size(); ++pair)
            if (is_small(x[read_[pair].first]) && is_small(x[read_[pair].second]))
                count += is_left_out(row, pair) ? 1 : 0;
    }
    return count;
}

double least_telling_norm(Format format) { return std::ldexp(1, smallest_exponent(format) + 1); }

bool RotatedCells::is_left_out(std::uint64_t row, std::uint32_t pair) const {
    const Lanes from = read_[pair], to = written_[pair];
    const double x1 = before_.at(row, from.first), x2 = before_.at(row, from.second);
    if (std::abs(x1) >= least_ || std::abs(x2) >= least_) return false;
    const double x = portable::hypot(x1, x2);
    const double y = portable::hypot(after_.at(row, to.first), after_.at(row, to.second));
    return x < least_ && (x == 0 ? y == 0 : y < 2 * least_);
}

}  // namespace rope
