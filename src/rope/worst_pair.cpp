#include "rope/worst_pair.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace rope {
namespace {

// > 0 when o → a → b turns left in the plane (u, y)
double turn(const Deviation& o, const Deviation& a, const Deviation& b) {
    return (a.u - o.u) * (b.y - o.y) - (a.y - o.y) * (b.u - o.u);
}

void keep_worse(WorstPair& worst, const Deviation& a, const Deviation& b) {
    const double error = relative_error(a, b);
    if (error <= worst.error) return;
    worst = {std::min(a.position, b.position), std::max(a.position, b.position), error};
}

}  // namespace

double relative_error(const Deviation& a, const Deviation& b) {
    // conj(1 + w_a)·(1 + w_b) − 1
    const double re = a.x + b.x + (a.x * b.x + a.y * b.y);
    const double im = b.y - a.y + (a.x * b.y - a.y * b.x);
    return std::sqrt(re * re + im * im);
}

WorstPair worst_pair_by_search(std::span<const Deviation> points) {
    WorstPair worst;
    for (std::size_t j = 0; j < points.size(); ++j)
        for (std::size_t k = 0; k <= j; ++k) {
            keep_worse(worst, points[k], points[j]);
            if (std::isnan(worst.error)) return worst;
        }
    return worst;
}

std::vector<Deviation> hull(std::vector<Deviation> points) {
    std::sort(points.begin(), points.end(), [](const Deviation& a, const Deviation& b) {
        if (a.u != b.u) return a.u < b.u;
        if (a.y != b.y) return a.y < b.y;
        return a.position < b.position;
    });
    std::vector<Deviation> chain;
    const auto half = [&](auto first, auto last) {
        const std::size_t start = chain.size();
        for (; first != last; ++first) {
            while (chain.size() >= start + 2 && turn(chain.end()[-2], chain.back(), *first) <= 0)
                chain.pop_back();
            chain.push_back(*first);
        }
        chain.pop_back();
    };
    if (points.size() < 3) return points;
    half(points.begin(), points.end());
    half(points.rbegin(), points.rend());
    return chain;
}

namespace {

// A run of points sorted by angle.
struct Arc {
    std::size_t begin, end;
    double low_angle, high_angle;    // of v
    double low_modulus, high_modulus;
    std::size_t left = 0, right = 0;  // children; 0: a leaf
};

class ArcTree {
  public:
    explicit ArcTree(std::vector<Deviation> points) {
        for (const Deviation& point : points) {
            const double re = 1 + point.x;
            points_.push_back({point, std::atan2(point.y, re), std::hypot(re, point.y)});
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

    // The cosine of the widest angle between two arcs.
    double least_cosine(const Arc& a, const Arc& b) const {
        using std::numbers::pi;
        const double low = b.low_angle - a.high_angle, high = b.high_angle - a.low_angle;
        const bool opposite = (low <= pi && pi <= high) || (low <= -pi && -pi <= high) || high - low >= 2 * pi;
        if (opposite) return -1;
        return std::min(cosine(points_[a.end - 1], points_[b.begin]),
                        cosine(points_[a.begin], points_[b.end - 1]));
    }
    static double cosine(const Point& a, const Point& b) {
        return ((1 + a.v.x) * (1 + b.v.x) + a.v.y * b.v.y) / (a.modulus * b.modulus);
    }

    // E² = R² − 2R·cos D + 1, R = |v_m||v_n|, is convex in R: its maximum is at an end.
    double bound(const Arc& a, const Arc& b) const {
        const double c = least_cosine(a, b);
        const auto at = [c](double r) { return r * r - 2 * r * c + 1; };
        return std::sqrt(std::max(at(a.low_modulus * b.low_modulus), at(a.high_modulus * b.high_modulus)));
    }

    void descend(std::size_t ia, std::size_t ib) {
        const Arc &a = arcs_[ia], &b = arcs_[ib];
        if (bound(a, b) <= worst_.error) return;
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
            if (branch.bound > worst_.error) descend(branch.a, branch.b);
    }

    std::vector<Point> points_;
    std::vector<Arc> arcs_;
    WorstPair worst_;
};

}  // namespace

WorstPair worst_pair_anywhere(std::vector<Deviation> points) {
    for (const Deviation& point : points)
        if (!std::isfinite(point.x) || !std::isfinite(point.y))
            return {point.position, point.position, std::nan("")};
    if (points.empty()) return {};
    return ArcTree(std::move(points)).worst();
}

}  // namespace rope
