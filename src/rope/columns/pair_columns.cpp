#include "rope/columns/pair_columns.hpp"

#include <algorithm>
#include <cmath>

#include "rope/columns/common_turn.hpp"
#include "rope/columns/wide_columns.hpp"
#include "rope/comparison/sweep.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

constexpr std::uint32_t wide_together = 2;  // columns of up to 12 MiB each

}  // namespace

PairColumns::PairColumns(const Comparison& comparison, PairRange pairs)
    : comparison_(comparison),
      pairs_(pairs),
      columns_(pairs.count),
      worst_(pairs.count),
      octagons_(pairs.count) {
    // the most that rounding moves |v|² (orthogonality.cpp)
    cap_ = 2.02 * comparison.storage;
}

void PairColumns::observe(const Tile& tile) {
    const std::size_t rows = tile.positions.size(), n = rows * pairs_.count;
    rows_ += rows;
    for (auto* values : {&x_, &y_, &u_, &outside_}) values->resize(n);
    kernels().checks->relative_errors(
        {rows, pairs_.count, {tile.cos, tile.sin}, {tile.effective_cos, tile.effective_sin}},
        1 / comparison_.effective_amplitude, octagons_.octagons(),
        {x_.data(), y_.data(), u_.data(), outside_.data()});
    for (std::size_t r = 0; r < rows; ++r) {
        const double position = tile.positions[r];
        if (last_position_ && octave_of(position) != octave_of(*last_position_)) close_prefix();
        last_position_ = position;
        constexpr std::size_t group = 8;  // nearly all groups are empty
        for (std::size_t i = 0; i < pairs_.count; i += group) {
            const double* flags = &outside_[r * pairs_.count + i];
            const std::size_t count = std::min<std::size_t>(group, pairs_.count - i);
            if (std::count(flags, flags + count, 0.0) == static_cast<std::ptrdiff_t>(count))
                continue;
            for (std::size_t l = 0; l < count; ++l)
                if (flags[l] != 0) keep(r * pairs_.count + i + l, position);
        }
    }
    for (std::uint32_t i = 0; i < pairs_.count; ++i) {
        Column& column = columns_[i];
        column.banded = column.banded || column.high_y - column.low_y > 256 * cap_;
        if (column.banded && column.outside > 0) draw_band(i);
        if (!column.banded && column.outside > 6 + column.inscribed / 4) inscribe_octagon(i);
    }
}

void PairColumns::keep(std::size_t k, double position) {
    Column& column = columns_[k % pairs_.count];
    if (!(x_[k] > -0.75) || (column.banded && !(std::abs(u_[k]) < cap_))) column.wide = true;
    if (column.wide) return;
    column.hull.insert({x_[k], y_[k], u_[k], position});
    column.low_y = std::min(column.low_y, y_[k]);
    column.high_y = std::max(column.high_y, y_[k]);
    ++column.outside;
}

// With v = r·e^{iδ}, E² = (R − 1)² + 4R·sin²(D/2), R = r_m·r_n and D = δ_n − δ_m. Where |u| < cap,
// R is within cap of 1, and a point that lies 2·cap inside both extremes of y is never in the worst
// pair: whatever its partner, the extreme on the far side from it is more than cap further in D,
// which outweighs all that R can do. The octagon is then the rectangle of such points, which lets
// nearly all go by once the range of y is far wider than its margins.
void PairColumns::draw_band(std::uint32_t i) {
    Column& column = columns_[i];
    column.outside = 0;
    const double half_y = (column.high_y - column.low_y) / 2 - 2 * cap_;
    octagons_.set_rectangle(i, cap_, (column.high_y + column.low_y) / 2, half_y);
}

void PairColumns::inscribe_octagon(std::uint32_t i) {
    columns_[i].outside = 0;
    ++columns_[i].inscribed;
    ring_.clear();
    for (const Deviation& v : columns_[i].hull.vertices()) ring_.push_back({v.u, v.y});
    octagons_.inscribe(i, ring_);
}

void PairColumns::close_prefix() {
    for (std::uint32_t i = 0; i < pairs_.count; ++i)
        if (!columns_[i].wide)
            worst_[i].push_back(
                {*last_position_, worst_pair_by_search(columns_[i].hull.vertices())});
    closed_position_ = last_position_;
}

bool PairColumns::all_wide() const {
    return std::ranges::all_of(columns_, [](const Column& column) { return column.wide; });
}

// The rows left say nothing more where all columns are wide.
void PairColumns::read_all() {
    constexpr std::uint64_t step = 16384;
    const std::uint64_t rows = comparison_.subject.rows();
    Sweep sweep(comparison_, pairs_);
    CommonTurn common_turn(comparison_, pairs_);
    for (std::uint64_t begin = 0; begin < rows && !all_wide(); begin += step)
        sweep.run({begin, std::min(rows, begin + step)},
                  [&](const Tile& tile) { observe(common_turn.turned(tile)); });
    rows_ = rows;
}

std::vector<std::vector<PrefixWorst>> PairColumns::worst_by_prefix(
    std::span<const double> largest_square) {
    if (last_position_ && closed_position_ != last_position_) close_prefix();
    std::vector<std::vector<PrefixWorst>> worst = worst_;
    if (!last_position_) return worst;
    for (std::uint32_t first = 0; first < pairs_.count; first += wide_together)
        read_wide(first, std::min(wide_together, pairs_.count - first), largest_square, worst);
    return worst;
}

void PairColumns::read_wide(std::uint32_t first, std::uint32_t count,
                            std::span<const double> largest_square,
                            std::vector<std::vector<PrefixWorst>>& worst) const {
    const auto is_wide = [this](std::uint32_t i) { return columns_[i].wide; };
    while (count > 0 && !is_wide(first + count - 1)) --count;
    while (count > 0 && !is_wide(first)) ++first, --count;
    if (count == 0) return;
    const PairRange pairs{pairs_.first + first, count};
    WideColumns wide(comparison_, pairs, largest_square.subspan(first, count));
    Sweep(comparison_, pairs).run({0, rows_}, [&](const Tile& tile) { wide.observe(tile); });
    const std::vector<std::vector<PrefixWorst>> found = wide.finish();
    for (std::uint32_t i = 0; i < count; ++i) {
        if (!is_wide(first + i)) continue;
        std::vector<PrefixWorst>& all = worst[first + i];
        all.insert(all.end(), found[i].begin() + static_cast<std::ptrdiff_t>(all.size()),
                   found[i].end());
    }
}

}  // namespace rope
