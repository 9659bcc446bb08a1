#include "rope/subject/dump_cells.hpp"

#include <cmath>
#include <limits>

namespace rope {

void TableCells::read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const {
    cos_.read(row, pairs.first, pairs.count, cos);
    sin_.read(row, pairs.first, pairs.count, sin);
}

RotatedCells::RotatedCells(const Spec& spec, StridedRows before, StridedRows after, Format format)
    : before_(std::move(before)), after_(std::move(after)), least_(least_telling_norm(format)) {
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        read_.push_back(lanes_of_pair(spec, i));
        written_.push_back(written_lanes_of_pair(spec, i));
    }
}

void RotatedCells::read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const {
    for (std::uint32_t j = 0; j < pairs.count; ++j) {
        const Lanes from = read_[pairs.first + j], to = written_[pairs.first + j];
        const double x1 = before_.at(row, from.first), x2 = before_.at(row, from.second);
        const double y1 = after_.at(row, to.first), y2 = after_.at(row, to.second);
        const double norm = x1 * x1 + x2 * x2;
        if (norm < least_ * least_ && is_left_out(row, pairs.first + j)) {
            cos[j] = sin[j] = std::numeric_limits<double>::quiet_NaN();
            continue;
        }
        cos[j] = (y1 * x1 + y2 * x2) / norm;
        sin[j] = (y2 * x1 - y1 * x2) / norm;
    }
}

double least_telling_norm(Format format) { return std::ldexp(1, smallest_exponent(format) + 1); }

bool RotatedCells::is_left_out(std::uint64_t row, std::uint32_t pair) const {
    const Lanes from = read_[pair], to = written_[pair];
    const double x1 = before_.at(row, from.first), x2 = before_.at(row, from.second);
    if (std::abs(x1) >= least_ || std::abs(x2) >= least_) return false;
    const double x = std::hypot(x1, x2);
    const double y = std::hypot(after_.at(row, to.first), after_.at(row, to.second));
    return x < least_ && (x == 0 ? y == 0 : y < 2 * least_);
}

}  // namespace rope
