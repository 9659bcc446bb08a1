#include "io/export/row_positions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "rope/subject/row_source.hpp"

namespace rope::io {
namespace {

using Range = RowPositions::Range;
using Axis = RowPositions::Axis;

Axis axis_of(const std::vector<double>& positions) {
    std::vector<Range> list;
    for (const double position : positions) list.push_back({.first = position});
    return Axis(std::move(list));
}

std::optional<double> first_not_whole(const Range& range, double least) {
    const auto fits = [least](double m) { return m >= least && m == std::trunc(m); };
    if (!fits(range.first)) return range.first;
    if (range.step == std::trunc(range.step)) return std::nullopt;
    // Steps that are not whole leave the whole numbers as soon as rounding shows it.
    for (std::uint64_t k = 1; k < range.count; ++k)
        if (!fits(range.at(k))) return range.at(k);
    return std::nullopt;
}

}  // namespace

double Range::at(std::uint64_t k) const { return std::fma(static_cast<double>(k), step, first); }

Axis::Axis(std::vector<Range> ranges, std::uint64_t times_each)
    : list(std::move(ranges)), each(times_each) {
    std::uint64_t end = 0;
    for (const Range& range : list) ends.push_back(end += range.count);
}

double Axis::at(std::uint64_t row) const {
    const std::uint64_t k = row / each % ends.back();
    const auto r = static_cast<std::size_t>(std::ranges::upper_bound(ends, k) - ends.begin());
    return list[r].at(k - (ends[r] - list[r].count));
}

RowPositions::RowPositions(std::uint64_t rows, std::vector<Axis> axes)
    : rows_(rows), axes_(std::move(axes)) {}

RowPositions::RowPositions(const PositionsByAxis& lists) : rows_(lists.front().size()) {
    for (const std::vector<double>& list : lists) axes_.push_back(axis_of(list));
}

RowPositions RowPositions::from_zero(std::uint64_t rows) { return {rows, {Axis({{0, 1, rows}})}}; }

RowPositions RowPositions::on(const AxisMap& axes) const {
    if (axes.scheme != AxisScheme::interleaved4 || axes_.size() != 1) return *this;
    RowPositions all = *this;
    all.axes_.resize(3, axes_.front());
    all.axes_.push_back(Axis({{0, 1, 1}}));
    return all;
}

PositionsByAxis RowPositions::at(std::uint64_t first, std::uint64_t count) const {
    PositionsByAxis positions(axes_.size());
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
        for (std::uint64_t r = first; r < first + count; ++r)
            positions[axis].push_back(axes_[axis].at(r % rows_));
    return positions;
}

std::uint64_t RowPositions::context() const {
    std::uint64_t context = 0;
    for (const Axis& axis : axes_)
        for (const Range& range : axis.list)
            context =
                std::max(context, context_of(std::array{range.first, range.at(range.count - 1)}));
    return context;
}

std::optional<double> RowPositions::first_not_whole(double least) const {
    for (const Axis& axis : axes_)
        for (const Range& range : axis.list)
            if (const auto found = io::first_not_whole(range, least)) return found;
    return std::nullopt;
}

}  // namespace rope::io
