#include "rope/checks/columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

#include "rope/checks/sweep.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

// > 0 when o → a → b turns left in the plane (u, y)
double turn(const Deviation& o, const Deviation& a, const Deviation& b) {
    return (a.u - o.u) * (b.y - o.y) - (a.y - o.y) * (b.u - o.u);
}

double relative_square(const Deviation& a, const Deviation& b) {
    // conj(1 + w_a)·(1 + w_b) − 1
    const double re = a.x + b.x + (a.x * b.x + a.y * b.y);
    const double im = b.y - a.y + (a.x * b.y - a.y * b.x);
    return re * re + im * im;
}

void keep_worse(WorstPair& worst, const Deviation& a, const Deviation& b) {
    const double error = relative_error(a, b);
    if (error <= worst.error) return;
    worst = {std::min(a.position, b.position), std::max(a.position, b.position), error};
}

}  // namespace

double relative_error(const Deviation& a, const Deviation& b) {
    return std::sqrt(relative_square(a, b));
}

WorstPair worst_pair_by_search(std::span<const Deviation> points) {
    WorstPair worst;
    double worst_square = 0;  // whose root is taken once
    for (std::size_t j = 0; j < points.size(); ++j)
        for (std::size_t k = 0; k <= j; ++k) {
            const double square = relative_square(points[k], points[j]);
            if (square <= worst_square) continue;
            worst_square = square;
            keep_worse(worst, points[k], points[j]);
            if (std::isnan(worst.error)) return worst;
        }
    return worst;
}

void Hull::insert(std::vector<Deviation>& chain, const Deviation& point, double sign) {
    // the place of those left of the point, counted without branches that nothing could predict
    std::ptrdiff_t left = 0;
    for (const Deviation& vertex : chain) left += static_cast<std::ptrdiff_t>(vertex.u < point.u);
    auto begin = chain.begin() + left, end = begin;  // of the vertices that it replaces
    if (end != chain.end() && end->u == point.u) {
        if (sign * point.y >= sign * end->y) return;
        ++end;
    } else if (begin != chain.begin() && end != chain.end() &&
               sign * turn(begin[-1], point, *end) <= 0) {
        return;
    }
    // vertices beside it that no longer turn outward
    while (chain.end() - end > 1 && sign * turn(point, end[0], end[1]) <= 0) ++end;
    while (begin - chain.begin() > 1 && sign * turn(begin[-2], begin[-1], point) <= 0) --begin;
    if (begin == end) {
        chain.insert(begin, point);
    } else {
        *begin = point;
        chain.erase(begin + 1, end);
    }
}

void Hull::insert(const Deviation& point) {
    if (lower_.empty() || !(lower_.front().u < point.u && point.u < lower_.back().u)) {
        insert(lower_, point, 1);
        insert(upper_, point, -1);
        return;
    }
    // on one side of the chord between a chain's ends it is within the other chain
    const bool is_below = turn(lower_.front(), point, lower_.back()) > 0;
    insert(is_below ? lower_ : upper_, point, is_below ? 1 : -1);
}

std::vector<Deviation> Hull::vertices() const {
    std::vector<Deviation> ring;
    ring.reserve(size());
    ring = lower_;
    for (auto v = upper_.rbegin(); v != upper_.rend(); ++v) {
        const bool shared =
            v->position == lower_.back().position || v->position == lower_.front().position;
        const bool same = (v->u == lower_.back().u && v->y == lower_.back().y) ||
                          (v->u == lower_.front().u && v->y == lower_.front().y);
        if (!(shared && same)) ring.push_back(*v);
    }
    return ring;
}

namespace {

// A run of points sorted by angle.
struct Arc {
    std::size_t begin, end;
    double low_angle, high_angle;  // of v
    double low_modulus, high_modulus;
    std::size_t left = 0, right = 0;  // children; 0: a leaf
};

class ArcTree {
  public:
    explicit ArcTree(const std::vector<Deviation>& points) {
        for (const Deviation& point : points) {
            const double re = 1 + point.x, modulus = portable::hypot(re, point.y);
            const bool zero = modulus == 0;  // of any direction: of angle 0
            points_.push_back({point, portable::atan2(point.y, re), modulus,
                               zero ? 1 : re / modulus, zero ? 0 : point.y / modulus});
        }
        std::sort(points_.begin(), points_.end(), [](const Point& a, const Point& b) {
            return a.angle != b.angle ? a.angle < b.angle : a.v.position < b.v.position;
        });
        build(0, points_.size());
    }

    WorstPair worst() {
        descend(0, 0);
        return worst_;
    }

  private:
    struct Point {
        Deviation v;
        double angle, modulus;
        double unit_x, unit_y;  // v/|v|
    };
    static constexpr std::size_t leaf_size = 16;

    std::size_t build(std::size_t begin, std::size_t end) {
        const std::size_t index = arcs_.size();
        Arc arc{begin, end, points_[begin].angle, points_[end - 1].angle, HUGE_VAL, 0};
        for (std::size_t k = begin; k < end; ++k) {
            arc.low_modulus = std::min(arc.low_modulus, points_[k].modulus);
            arc.high_modulus = std::max(arc.high_modulus, points_[k].modulus);
        }
        arcs_.push_back(arc);
        if (end - begin > leaf_size) {
            const std::size_t middle = begin + (end - begin) / 2;
            const std::size_t left = build(begin, middle), right = build(middle, end);
            arcs_[index].left = left;
            arcs_[index].right = right;
        }
        return index;
    }

    // |v/|v| − w/|w||² where two arcs are furthest apart, 2 − 2·cos D without its cancellation.
    double widest_chord(const Arc& a, const Arc& b) const {
        using std::numbers::pi;
        const double low = b.low_angle - a.high_angle, high = b.high_angle - a.low_angle;
        const bool opposite =
            (low <= pi && pi <= high) || (low <= -pi && -pi <= high) || high - low >= 2 * pi;
        if (opposite) return 4;
        return std::max(chord(points_[a.end - 1], points_[b.begin]),
                        chord(points_[a.begin], points_[b.end - 1]));
    }
    static double chord(const Point& a, const Point& b) {
        const double x = a.unit_x - b.unit_x, y = a.unit_y - b.unit_y;
        return x * x + y * y;
    }

    // E² = (R − 1)² + R·(2 − 2·cos D), R = |v_m||v_n|, is convex in R: its maximum is at an end.
    double bound(const Arc& a, const Arc& b) const {
        const double c = widest_chord(a, b);
        const auto at = [c](double r) { return (r - 1) * (r - 1) + r * c; };
        return std::sqrt(
            std::max(at(a.low_modulus * b.low_modulus), at(a.high_modulus * b.high_modulus)));
    }

    // by more than a bound's own rounding, or points that agree to it would all be compared
    bool can_beat_worst(double error) const {
        return error > worst_.error + 0x1p-48 * (1 + worst_.error);
    }

    void descend(std::size_t ia, std::size_t ib) {
        const Arc &a = arcs_[ia], &b = arcs_[ib];
        if (!can_beat_worst(bound(a, b))) return;
        if (a.left == 0 && b.left == 0) {
            for (std::size_t j = a.begin; j < a.end; ++j)
                for (std::size_t k = b.begin; k < b.end; ++k)
                    keep_worse(worst_, points_[j].v, points_[k].v);
            return;
        }
        struct Branch {
            double bound;
            std::size_t a, b;
        };
        std::array<Branch, 2> branches;
        const bool split_a = b.left == 0 || (a.left != 0 && a.end - a.begin >= b.end - b.begin);
        for (std::size_t k = 0; k < 2; ++k) {
            const std::size_t na = split_a ? (k == 0 ? a.left : a.right) : ia;
            const std::size_t nb = split_a ? ib : (k == 0 ? b.left : b.right);
            branches[k] = {bound(arcs_[na], arcs_[nb]), na, nb};
        }
        if (branches[1].bound > branches[0].bound) std::swap(branches[0], branches[1]);
        for (const Branch& branch : branches)
            if (can_beat_worst(branch.bound)) descend(branch.a, branch.b);
    }

    std::vector<Point> points_;
    std::vector<Arc> arcs_;
    WorstPair worst_;
};

}  // namespace

WorstPair worst_pair_anywhere(const std::vector<Deviation>& points) {
    for (const Deviation& point : points)
        if (!std::isfinite(point.x) || !std::isfinite(point.y))
            return {point.position, point.position, std::nan("")};
    if (points.empty()) return {};
    return ArcTree(points).worst();
}

InscribedOctagons::InscribedOctagons(std::size_t pairs) {
    centre_u_.resize(pairs);
    centre_y_.resize(pairs);
    octagons_.centre_u = centre_u_.data();
    octagons_.centre_y = centre_y_.data();
    for (std::size_t e = 0; e < Octagons::edges; ++e) {
        normal_u_[e].assign(pairs, std::nan(""));
        normal_y_[e].assign(pairs, std::nan(""));
        octagons_.normal_u[e] = normal_u_[e].data();
        octagons_.normal_y[e] = normal_y_[e].data();
    }
}

void InscribedOctagons::set_edge(std::size_t e, std::size_t i, double normal_u, double normal_y) {
    normal_u_[e][i] = normal_u;
    normal_y_[e][i] = normal_y;
}

void InscribedOctagons::set_rectangle(std::size_t i, double half_u, double centre_y,
                                      double half_y) {
    centre_u_[i] = 0;
    centre_y_[i] = centre_y;
    for (std::size_t e = 0; e < Octagons::edges; ++e) set_edge(e, i, 0, 0);
    set_edge(0, i, 1 / half_u, 0);
    set_edge(1, i, -1 / half_u, 0);
    set_edge(2, i, 0, 1 / half_y);
    set_edge(3, i, 0, -1 / half_y);
}

void InscribedOctagons::inscribe(std::size_t i, std::span<const PlanePoint> ring) {
    const auto [low_u, high_u] = std::minmax_element(
        ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.u < b.u; });
    const auto [low_y, high_y] = std::minmax_element(
        ring.begin(), ring.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    if (ring.size() < 3) return;
    const double size_u = high_u->u - low_u->u, size_y = high_y->y - low_y->y;
    if (!(size_u > 0) || !(size_y > 0)) return;
    static constexpr double directions[Octagons::edges][2] = {
        {1, 0}, {0.5, 1}, {0, 1}, {-0.5, 1}, {-1, 0}, {-0.5, -1}, {0, -1}, {0.5, -1}};
    std::array<const PlanePoint*, Octagons::edges> corner{};
    std::array<double, Octagons::edges> reach;
    reach.fill(-HUGE_VAL);
    for (const PlanePoint& v : ring)
        for (std::size_t e = 0; e < Octagons::edges; ++e) {
            const double r = directions[e][0] * (v.u / size_u) + directions[e][1] * (v.y / size_y);
            const bool is_further = r > reach[e];
            reach[e] = is_further ? r : reach[e];
            corner[e] = is_further ? &v : corner[e];
        }
    double sum_u = 0, sum_y = 0;
    for (const PlanePoint* v : corner) {
        sum_u += v->u;
        sum_y += v->y;
    }
    centre_u_[i] = sum_u / Octagons::edges;
    centre_y_[i] = sum_y / Octagons::edges;
    for (std::size_t e = 0; e < Octagons::edges; ++e) {
        const PlanePoint &a = *corner[e], &b = *corner[(e + 1) % Octagons::edges];
        const double nu = b.y - a.y, ny = a.u - b.u;  // outward of a counter-clockwise edge
        const double offset = nu * (a.u - centre_u_[i]) + ny * (a.y - centre_y_[i]);
        // two corners that coincide make no edge; a centre on an edge leaves nothing inside
        const bool coincide = nu == 0 && ny == 0;
        const double per = coincide ? 0 : offset > 0 ? 1 / offset : std::nan("");
        set_edge(e, i, nu * per, ny * per);
    }
}

CommonTurn::CommonTurn(const Comparison& comparison, PairRange pairs)
    : re_(pairs.count, 1), im_(pairs.count, 0) {
    const std::uint64_t rows = comparison.subject.rows();
    std::vector<bool> is_known(pairs.count);
    Sweep sweep(comparison, pairs);
    const auto take_all = [&](const Tile& tile) {
        for (std::size_t row = 0; row < tile.positions.size(); ++row)
            for (std::uint32_t i = 0; i < pairs.count; ++i) {
                if (is_known[i] || tile.is_left_out(row * pairs.count + i)) continue;
                take(comparison, tile, row, i);
                is_known[i] = true;
            }
    };
    // one row is enough of nearly all
    for (std::uint64_t begin = 0, end = 1; begin < rows && std::ranges::count(is_known, false) > 0;
         begin = std::exchange(end, end + 32))
        sweep.run({begin, std::min(end, rows)}, take_all);
}

void CommonTurn::take(const Comparison& comparison, const Tile& tile, std::size_t row,
                      std::uint32_t pair) {
    const std::size_t k = row * tile.pairs.count + pair;
    const std::complex<double> v = std::complex(tile.cos[k], tile.sin[k]) *
                                   std::complex(tile.effective_cos[k], -tile.effective_sin[k]);
    const double modulus = std::sqrt(std::norm(v));
    const double allowed =
        comparison.effective_allowance(tile.positions[row], tile.pairs.first + pair);
    if (!(modulus > 0) || !std::isfinite(modulus)) return;
    if (std::norm(v / modulus - 1.0) <= allowed * allowed) return;
    re_[pair] = v.real() / modulus;
    im_[pair] = v.imag() / modulus;
    is_any_ = true;
}

Tile CommonTurn::turned(Tile tile) {
    if (!is_any_) return tile;
    const std::size_t stride = re_.size(), n = tile.positions.size() * stride;
    cos_.resize(n);
    sin_.resize(n);
    for (std::size_t k = 0; k < n; k += stride)
        for (std::size_t i = 0; i < stride; ++i) {
            const double c = tile.effective_cos[k + i], s = tile.effective_sin[k + i];
            if (tile.is_left_out(k + i)) {
                cos_[k + i] = c;
                sin_[k + i] = s;
                continue;
            }
            cos_[k + i] = c * re_[i] - s * im_[i];
            sin_[k + i] = c * im_[i] + s * re_[i];
        }
    tile.effective_cos = cos_.data();
    tile.effective_sin = sin_.data();
    return tile;
}

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
