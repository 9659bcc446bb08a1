#include "rope/checks/pair_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "rope/phase.hpp"
#include "rope/table.hpp"

namespace rope {
namespace {

// Prefix j is the positions below 2^j.
std::size_t prefix_of(std::uint64_t position) {
    return static_cast<std::size_t>(std::bit_width(position));
}

}  // namespace

PairColumns::PairColumns(const Trial& trial, PairRange pairs)
    : trial_(trial), pairs_(pairs), columns_(pairs.count) {
    for (std::size_t e = 0; e < Octagon::edges; ++e) {
        normal_u_[e].resize(pairs.count);
        normal_y_[e].resize(pairs.count);
        offset_[e].assign(pairs.count, -1);  // 0 < −1: nothing is inside yet
        octagon_.normal_x[e] = normal_u_[e].data();
        octagon_.normal_y[e] = normal_y_[e].data();
        octagon_.offset[e] = offset_[e].data();
    }
}

void PairColumns::observe(const Tile& tile) {
    const std::size_t rows = tile.positions.size(), n = rows * pairs_.count;
    for (auto* values : {&x_, &y_, &u_}) values->resize(n);
    outside_.resize(n);
    kernels().relative_errors(rows, pairs_.count, 1 / trial_.own_amplitude, tile.cos, tile.sin,
                              tile.own_cos, tile.own_sin, &octagon_, x_.data(), y_.data(),
                              u_.data(), outside_.data());
    for (std::size_t r = 0; r < rows; ++r) {
        const std::uint64_t position = tile.positions[r];
        if (prefix_of(position) != prefix_of(last_position_)) close_prefix();
        last_position_ = position;
        for (std::size_t k = r * pairs_.count; k < (r + 1) * pairs_.count; ++k)
            if (outside_[k] != 0) keep(k, position);
    }
}

void PairColumns::keep(std::size_t k, std::uint64_t position) {
    const auto i = static_cast<std::uint32_t>(k % pairs_.count);
    Column& column = columns_[i];
    if (!(x_[k] > -0.75)) column.wide = true;
    if (column.wide) {
        column.points.clear();
        return;
    }
    column.points.push_back({x_[k], y_[k], u_[k], position});
    if (column.points.size() >= std::max<std::size_t>(64, 3 * column.hull_size)) compact(i);
}

void PairColumns::compact(std::uint32_t i) {
    Column& column = columns_[i];
    column.points = hull(std::move(column.points));
    column.hull_size = column.points.size();
    inscribe_octagon(i, column.points);
}

// Does nothing before the first row.
void PairColumns::close_prefix() {
    if (std::all_of(columns_.begin(), columns_.end(), [](const Column& column) {
            return column.points.empty() && !column.wide;
        }))
        return;
    for (std::uint32_t i = 0; i < pairs_.count; ++i)
        if (columns_[i].points.size() > columns_[i].hull_size) compact(i);
    prefixes_.push_back({last_position_, columns_});
}

// The hull's extreme points in eight directions, scaled to its own size, make an octagon in it.
void PairColumns::inscribe_octagon(std::uint32_t i, const std::vector<Deviation>& vertices) {
    double size_u = 0, size_y = 0;
    for (const Deviation& v : vertices) {
        size_u = std::max(size_u, std::abs(v.u - vertices[0].u));
        size_y = std::max(size_y, std::abs(v.y - vertices[0].y));
    }
    if (!(size_u > 0) || !(size_y > 0)) return;
    static constexpr double directions[Octagon::edges][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                                             {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    std::array<const Deviation*, Octagon::edges> corner{};
    for (std::size_t e = 0; e < Octagon::edges; ++e) {
        const auto reach = [&](const Deviation& v) {
            return directions[e][0] * v.u / size_u + directions[e][1] * v.y / size_y;
        };
        corner[e] = &*std::max_element(
            vertices.begin(), vertices.end(),
            [&](const Deviation& a, const Deviation& b) { return reach(a) < reach(b); });
    }
    for (std::size_t e = 0; e < Octagon::edges; ++e) {
        const Deviation &a = *corner[e], &b = *corner[(e + 1) % Octagon::edges];
        const double nu = b.y - a.y, ny = a.u - b.u;  // outward of a counter-clockwise edge
        normal_u_[e][i] = nu;
        normal_y_[e][i] = ny;
        offset_[e][i] = nu == 0 && ny == 0 ? 1 : nu * a.u + ny * a.y;
    }
}

std::vector<PrefixWorst> PairColumns::settle(std::uint32_t i) {
    if (prefixes_.empty() || prefixes_.back().last_position != last_position_) close_prefix();
    std::vector<PrefixWorst> worst;
    std::vector<Deviation> whole;
    for (const Prefix& prefix : prefixes_) {
        const Column& column = prefix.columns[i];
        if (!column.wide) {
            worst.push_back({prefix.last_position, worst_pair_by_search(column.points)});
            continue;
        }
        if (whole.empty()) whole = read_column(i);
        const auto end = std::find_if(whole.begin(), whole.end(), [&](const Deviation& v) {
            return v.position > prefix.last_position;
        });
        worst.push_back({prefix.last_position, worst_pair_anywhere({whole.begin(), end})});
    }
    return worst;
}

std::vector<Deviation> PairColumns::read_column(std::uint32_t i) const {
    const std::uint32_t pair = pairs_.first + i;
    const ExactRows own({turn_rate(trial_.own_inv_freq[pair])});
    const auto reader = trial_.subject.read({pair, 1});
    const std::uint64_t rows = trial_.subject.rows();
    std::vector<Deviation> column;
    column.reserve(rows);
    std::array<double, tile_rows> c, s, own_c, own_s;
    std::vector<std::uint64_t> row, position;
    for (std::uint64_t begin = 0; begin < rows; begin += tile_rows) {
        row.clear();
        position.clear();
        for (std::uint64_t r = begin; r < std::min(rows, begin + tile_rows); ++r) {
            row.push_back(r);
            position.push_back(trial_.subject.position_of(r));
        }
        reader->fill(row, c.data(), s.data());
        own.fill(position, own_c.data(), own_s.data());
        for (std::size_t r = 0; r < row.size(); ++r) {
            const double a = c[r] / trial_.own_amplitude, b = s[r] / trial_.own_amplitude;
            column.push_back({a * own_c[r] + b * own_s[r] - 1, b * own_c[r] - a * own_s[r],
                              a * a + b * b - 1, position[r]});
        }
    }
    return column;
}

}  // namespace rope
