#include "rope/checks/pair_columns.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "rope/comparison/sweep.hpp"
#include "rope/subject/positions.hpp"

namespace rope {
namespace {

// Prefix j is the positions within 2^j of 0.
std::size_t prefix_of(double position) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(std::abs(position))));
}

}  // namespace

PairColumns::PairColumns(const Comparison& comparison, PairRange pairs)
    : comparison_(comparison), pairs_(pairs), columns_(pairs.count) {
    // the most that rounding moves |v|² (orthogonality.cpp)
    cap_ = 2.02 * comparison.storage;
    centre_u_.resize(pairs.count);
    centre_y_.resize(pairs.count);
    octagons_.centre_u = centre_u_.data();
    octagons_.centre_y = centre_y_.data();
    for (std::size_t e = 0; e < Octagons::edges; ++e) {
        normal_u_[e].assign(pairs.count, std::nan(""));
        normal_y_[e].assign(pairs.count, std::nan(""));
        octagons_.normal_u[e] = normal_u_[e].data();
        octagons_.normal_y[e] = normal_y_[e].data();
    }
}

void PairColumns::observe(const Tile& tile) {
    const std::size_t rows = tile.positions.size(), n = rows * pairs_.count;
    for (auto* values : {&x_, &y_, &u_, &outside_}) values->resize(n);
    kernels().checks->relative_errors(
        {rows, pairs_.count, {tile.cos, tile.sin}, {tile.effective_cos, tile.effective_sin}},
        1 / comparison_.effective_amplitude, octagons_,
        {x_.data(), y_.data(), u_.data(), outside_.data()});
    for (std::size_t r = 0; r < rows; ++r) {
        const double position = tile.positions[r];
        if (last_position_ && prefix_of(position) != prefix_of(*last_position_)) close_prefix();
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

void PairColumns::set_edge(std::size_t e, std::uint32_t i, double normal_u, double normal_y) {
    normal_u_[e][i] = normal_u;
    normal_y_[e][i] = normal_y;
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
    centre_u_[i] = 0;
    centre_y_[i] = (column.high_y + column.low_y) / 2;
    for (std::size_t e = 0; e < Octagons::edges; ++e) set_edge(e, i, 0, 0);
    set_edge(0, i, 1 / cap_, 0);
    set_edge(1, i, -1 / cap_, 0);
    set_edge(2, i, 0, 1 / half_y);
    set_edge(3, i, 0, -1 / half_y);
}

// The hull's furthest vertices in eight directions, in units of its own size, make an octagon
// within it.
void PairColumns::inscribe_octagon(std::uint32_t i) {
    columns_[i].outside = 0;
    ++columns_[i].inscribed;
    const std::vector<Deviation> ring = columns_[i].hull.vertices();
    const auto [low_u, high_u] = std::minmax_element(
        ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.u < b.u; });
    const auto [low_y, high_y] = std::minmax_element(
        ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    const double size_u = high_u->u - low_u->u, size_y = high_y->y - low_y->y;
    if (ring.size() < 3 || !(size_u > 0) || !(size_y > 0)) return;
    static constexpr double directions[Octagons::edges][2] = {
        {1, 0}, {0.5, 1}, {0, 1}, {-0.5, 1}, {-1, 0}, {-0.5, -1}, {0, -1}, {0.5, -1}};
    std::array<const Deviation*, Octagons::edges> corner{};
    std::array<double, Octagons::edges> reach;
    reach.fill(-HUGE_VAL);
    for (const Deviation& v : ring)
        for (std::size_t e = 0; e < Octagons::edges; ++e) {
            const double r = directions[e][0] * (v.u / size_u) + directions[e][1] * (v.y / size_y);
            if (r <= reach[e]) continue;
            reach[e] = r;
            corner[e] = &v;
        }
    double sum_u = 0, sum_y = 0;
    for (const Deviation* v : corner) {
        sum_u += v->u;
        sum_y += v->y;
    }
    centre_u_[i] = sum_u / Octagons::edges;
    centre_y_[i] = sum_y / Octagons::edges;
    for (std::size_t e = 0; e < Octagons::edges; ++e) {
        const Deviation &a = *corner[e], &b = *corner[(e + 1) % Octagons::edges];
        const double nu = b.y - a.y, ny = a.u - b.u;  // outward of a counter-clockwise edge
        const double offset = nu * (a.u - centre_u_[i]) + ny * (a.y - centre_y_[i]);
        // two corners that coincide make no edge; a centre on an edge leaves nothing inside
        const bool coincide = nu == 0 && ny == 0;
        const double per = coincide ? 0 : offset > 0 ? 1 / offset : std::nan("");
        set_edge(e, i, nu * per, ny * per);
    }
}

void PairColumns::close_prefix() { prefixes_.push_back({*last_position_, columns_}); }

std::vector<PrefixWorst> PairColumns::worst_by_prefix(std::uint32_t i) {
    if (prefixes_.empty() || prefixes_.back().last_position != *last_position_) close_prefix();
    std::vector<PrefixWorst> worst;
    std::vector<Deviation> whole;
    for (const Prefix& prefix : prefixes_) {
        const Column& column = prefix.columns[i];
        if (!column.wide) {
            worst.push_back({prefix.last_position, worst_pair_by_search(column.hull.vertices())});
            continue;
        }
        if (whole.empty()) whole = read_column(i);
        const auto end = std::find_if(whole.begin(), whole.end(), [&](const Deviation& v) {
            return is_nearer_zero(prefix.last_position, v.position);
        });
        worst.push_back({prefix.last_position, worst_pair_anywhere({whole.begin(), end})});
    }
    return worst;
}

void PairColumns::read_all() {
    for_each_tile(comparison_, pairs_, [this](const Tile& tile) { observe(tile); });
}

std::vector<Deviation> PairColumns::read_column(std::uint32_t i) const {
    std::vector<Deviation> column;
    for_each_tile(comparison_, {pairs_.first + i, 1}, [&](const Tile& tile) {
        for (std::size_t r = 0; r < tile.positions.size(); ++r) {
            if (is_nearer_zero(*last_position_, tile.positions[r])) return;
            const double a = tile.cos[r] / comparison_.effective_amplitude,
                         b = tile.sin[r] / comparison_.effective_amplitude;
            column.push_back({a * tile.effective_cos[r] + b * tile.effective_sin[r] - 1,
                              b * tile.effective_cos[r] - a * tile.effective_sin[r],
                              a * a + b * b - 1, tile.positions[r]});
        }
    });
    return column;
}

}  // namespace rope
