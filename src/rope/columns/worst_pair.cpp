#include "rope/columns/worst_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "rope/exact/elementary.hpp"

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

}  // namespace rope
