#include "rope/subject/dump_cells.hpp"

namespace rope {

void TableCells::read(std::uint64_t row, PairRange pairs, double* cos, double* sin) const {
    cos_.read(row, pairs.first, pairs.count, cos);
    sin_.read(row, pairs.first, pairs.count, sin);
}

RotatedCells::RotatedCells(const Spec& spec, StridedRows before, StridedRows after)
    : before_(std::move(before)), after_(std::move(after)) {
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
        cos[j] = (y1 * x1 + y2 * x2) / norm;
        sin[j] = (y2 * x1 - y1 * x2) / norm;
    }
}

bool RotatedCells::is_zero(std::uint64_t row, std::uint32_t pair) const {
    return before_.at(row, read_[pair].first) == 0 && before_.at(row, read_[pair].second) == 0;
}

}  // namespace rope
