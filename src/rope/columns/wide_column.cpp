#include "rope/columns/wide_column.hpp"

#include <algorithm>
#include <cmath>

#include "rope/exact/elementary.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {
namespace {

constexpr double dull_share = 1e-10;   // τ
constexpr double close_share = 8e-10;  // 2ηM/W
constexpr double huge_square = 0x1p40;

using Vertex = WideColumn::Vertex;

double square(const Vertex& v) { return (1 + v.x) * (1 + v.x) + v.y * v.y; }

double dot(const Vertex& o, const Vertex& a, const Vertex& p, const Vertex& b) {
    return (a.x - o.x) * (b.x - p.x) + (a.y - o.y) * (b.y - p.y);
}
// > 0 where p → b is to the left of o → a
double cross(const Vertex& o, const Vertex& a, const Vertex& p, const Vertex& b) {
    return (a.x - o.x) * (b.y - p.y) - (a.y - o.y) * (b.x - p.x);
}

WorstPair worst_pair_of(const std::vector<Vertex>& points) {
    std::vector<Deviation> deviations;
    deviations.reserve(points.size());
    for (const Vertex& v : points) deviations.push_back({v.x, v.y, square(v) - 1, v.position});
    return worst_pair_anywhere(deviations);
}

void keep_worse(WorstPair& worst, const WorstPair& found) {
    if (!(found.error <= worst.error) && !std::isnan(worst.error)) worst = found;
}

// Counter-clockwise from the least x, by Andrew's monotone chains; of equal points the first.
std::vector<Vertex> hull_of(std::vector<Vertex> points) {
    std::sort(points.begin(), points.end(), [](const Vertex& a, const Vertex& b) {
        if (a.x != b.x) return a.x < b.x;
        if (a.y != b.y) return a.y < b.y;
        return a.was_vertex != b.was_vertex ? a.was_vertex : is_nearer_zero(a.position, b.position);
    });
    const auto equal = [](const Vertex& a, const Vertex& b) { return a.x == b.x && a.y == b.y; };
    points.erase(std::unique(points.begin(), points.end(), equal), points.end());
    if (points.size() < 3) return points;
    std::vector<Vertex> ring;
    const auto add_chain = [&ring](const auto& begin, const auto& end) {
        const std::size_t start = ring.size();
        for (auto v = begin; v != end; ++v) {
            while (ring.size() >= start + 2 &&
                   cross(ring[ring.size() - 2], ring.back(), ring.back(), *v) <= 0)
                ring.pop_back();
            ring.push_back(*v);
        }
        ring.pop_back();  // the other chain's first
    };
    add_chain(points.begin(), points.end());
    add_chain(points.rbegin(), points.rend());
    return ring;
}

double distance(const Vertex& v, const Vertex& a, const Vertex& b) {
    const double along = dot(a, b, a, v), length = dot(a, b, a, b);
    if (!(along > 0)) return std::sqrt(dot(a, v, a, v));
    if (!(along < length)) return std::sqrt(dot(b, v, b, v));
    return std::abs(cross(a, b, a, v)) / std::sqrt(length);
}

// A ring without vertices that are within η of the chords between those left; earlier ones stay.
std::vector<Vertex> thinned(const std::vector<Vertex>& ring, double eta) {
    constexpr std::size_t most = 64;  // in one chord: a chord looks at all of them
    std::vector<Vertex> kept{ring[0]};
    std::size_t from = 0;
    for (std::size_t last = 1; last < ring.size(); ++last) {
        const Vertex& next = ring[(last + 1) % ring.size()];
        const auto is_close = [&](const Vertex& v) {
            return !v.was_vertex && distance(v, ring[from], next) <= eta;
        };
        if (last - from < most && std::all_of(&ring[from] + 1, &ring[last] + 1, is_close)) continue;
        kept.push_back(ring[last]);
        from = last;
    }
    return kept;
}

}  // namespace

WideColumn::WideColumn(double largest_square, ColumnRoom room)
    : largest_(std::sqrt(largest_square) * (1 + 0x1p-40)), room_(room), limit_(room.whole) {}

void WideColumn::insert(const Deviation& v) {
    if (std::isnan(worst_.error)) return;
    if (!std::isfinite(v.x) || !std::isfinite(v.y)) {
        worst_ = {v.position, v.position, std::nan("")};
        points_ = {};
        ++reductions_;
        return;
    }
    if (ring_.is_within(v.x, v.y, closeness_)) return;
    points_.push_back({v.x, v.y, v.position, false});
    if (points_.size() > limit_) reduce();
}

double WideColumn::dull_square() const {
    if (std::isnan(worst_.error)) return HUGE_VAL;
    const double least = (worst_.error * (1 + dull_share) - 1) / largest_;
    return reductions_ > 0 && least > 0 ? least * least * (1 - 0x1p-40) : -1;
}

void WideColumn::drop_dull() {
    for (const Vertex& v : points_)
        if (square(v) >= huge_square) keep_worse(worst_, worst_pair_of({v}));
    const double dull = dull_square();
    std::erase_if(points_,
                  [&](const Vertex& v) { return square(v) <= dull || square(v) >= huge_square; });
}

void WideColumn::reduce() {
    ++reductions_;
    drop_dull();
    std::vector<Vertex> ring = hull_of(points_);
    if (ring.size() > room_.hull / 4)
        thin(ring);
    else
        points_ = std::move(ring);
    keep_worse(worst_, worst_pair_of(points_));
    drop_dull();
    std::vector<ConvexRing::Corner> corners;
    for (Vertex& v : points_) {
        v.was_vertex = true;
        corners.push_back({v.x, v.y});
    }
    ring_ = ConvexRing(std::move(corners));
    limit_ = points_.size() + std::max(room_.whole, std::min(points_.size(), room_.hull / 2));
}

// While earlier vertices stay, what was ever dropped remains within one η of the hull. Where they
// do not fit, all are thinned, and their η adds up.
void WideColumn::thin(const std::vector<Vertex>& ring) {
    const double eta = close_share * worst_.error / (2 * largest_);
    std::erase_if(points_, [](const Vertex& v) { return !v.was_vertex; });
    for (const Vertex& v : thinned(ring, eta))
        if (!v.was_vertex) points_.push_back(v);
    points_ = hull_of(std::move(points_));
    closeness_ = std::max(closeness_, eta);
    const double least =
        0x1p-60 * portable::hypot(ring.back().x - ring[0].x, ring.back().y - ring[0].y);
    for (double wider = std::max(eta, least); points_.size() > room_.hull; wider *= 2) {
        for (Vertex& v : points_) v.was_vertex = false;
        points_ = thinned(points_, wider);
        closeness_ += wider;
    }
}

const WorstPair& WideColumn::worst() {
    if (std::isnan(worst_.error)) return worst_;
    if (reductions_ > 0)
        reduce();
    else
        worst_ = worst_pair_of(points_);
    return worst_;
}

double WideColumn::bound() const {
    const double close = closeness_ == 0 ? 0 : 2 * closeness_ * largest_;
    const double let_go = reductions_ == 0 ? 0 : worst_.error * dull_share;
    return worst_.error + let_go + close + 0x1p-46 * (1 + worst_.error);
}

}  // namespace rope
