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

PairColumns::PairColumns(const Trial& trial, PairRange pairs) : trial_(trial), pairs_(pairs) {
    for (std::size_t e = 0; e < Octagon::edges; ++e) {
        for (auto* side : {&normal_u_[e], &normal_y_[e], &offset_[e]}) side->resize(pairs.count);
        octagon_.normal_x[e] = normal_u_[e].data();
        octagon_.normal_y[e] = normal_y_[e].data();
        octagon_.offset[e] = offset_[e].data();
    }
}

void PairColumns::observe(const Tile& tile) {
    const std::size_t rows = tile.positions.size(), n = rows * pairs_.count;
    for (auto* values : {&x_, &y_, &u_}) values->resize(n);
    outside_.resize(n);
    for (const std::uint64_t position : tile.positions) {
        const std::size_t prefix = prefix_of(position);
        if (octaves_.size() <= prefix) {
            octaves_.resize(prefix + 1);
            last_position_.resize(prefix + 1);
        }
        octaves_[prefix].resize(pairs_.count);
        last_position_[prefix] = position;
    }
    if (prefix_of(tile.positions.back()) != open_) open_octave(prefix_of(tile.positions.back()));
    kernels().relative_errors(rows, pairs_.count, 1 / trial_.own_amplitude, tile.cos, tile.sin,
                              tile.own_cos, tile.own_sin, &octagon_, x_.data(), y_.data(),
                              u_.data(), outside_.data());
    for (std::size_t k = 0; k < n; ++k)
        if (outside_[k] != 0) keep(tile.positions[k / pairs_.count], k);
}

void PairColumns::open_octave(std::size_t prefix) {
    open_ = prefix;
    for (std::size_t e = 0; e < Octagon::edges; ++e) {
        std::fill(normal_u_[e].begin(), normal_u_[e].end(), 0);
        std::fill(normal_y_[e].begin(), normal_y_[e].end(), 0);
        std::fill(offset_[e].begin(), offset_[e].end(), -1);  // nothing is inside
    }
}

void PairColumns::keep(std::uint64_t position, std::size_t k) {
    const auto i = static_cast<std::uint32_t>(k % pairs_.count);
    Octave& kept = octave(i, prefix_of(position));
    if (!(x_[k] > -0.75)) kept.wide = true;
    if (kept.wide) {
        kept.points.clear();
        return;
    }
    kept.points.push_back({x_[k], y_[k], u_[k], position});
    if (kept.points.size() < 2 * kept.hull_size + 24) return;
    kept.points = hull(std::move(kept.points));
    kept.hull_size = kept.points.size();
    if (prefix_of(position) == open_) inscribe_octagon(i, kept.points);
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

std::vector<PrefixWorst> PairColumns::settle(std::uint32_t i) const {
    std::vector<PrefixWorst> prefixes;
    std::vector<Deviation> points;
    bool wide = false;
    for (std::size_t prefix = 0; prefix < octaves_.size(); ++prefix) {
        if (octaves_[prefix].empty()) continue;
        const Octave& kept = octaves_[prefix][i];
        if (kept.wide && !wide) points = read_column(i);
        wide = wide || kept.wide;
        const std::uint64_t last = last_position_[prefix];
        if (wide) {
            const auto end = std::find_if(points.begin(), points.end(), [&](const Deviation& v) {
                return v.position > last;
            });
            prefixes.push_back({last, worst_pair_anywhere({points.begin(), end})});
        } else {
            points.insert(points.end(), kept.points.begin(), kept.points.end());
            points = hull(std::move(points));
            prefixes.push_back({last, worst_pair_by_search(points)});
        }
    }
    return prefixes;
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
