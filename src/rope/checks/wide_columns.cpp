#include <algorithm>
#include <bit>
#include <cmath>

#include "rope/checks/columns.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

ConvexRing::ConvexRing(std::vector<Corner> corners) {
    if (corners.size() < 3) return;
    for (const Corner& corner : corners) {
        centre_.x += corner.x / static_cast<double>(corners.size());
        centre_.y += corner.y / static_cast<double>(corners.size());
    }
    const auto direction = [this](const Corner& a) { return direction_of(a.x, a.y); };
    std::ranges::rotate(corners, std::ranges::min_element(corners, {}, direction));
    for (const Corner& corner : corners) directions_.push_back(direction(corner));
    if (!std::ranges::is_sorted(directions_)) return;  // hardly an area
    corners_ = std::move(corners);
    corners_.push_back(corners_[0]);
    corner_.resize(std::bit_ceil(corners_.size()));
    std::uint32_t k = 0;
    for (std::size_t bin = 0; bin < corner_.size(); ++bin) {
        while (k < directions_.size() && bin_of(directions_[k]) < bin) ++k;
        corner_[bin] = k == 0 ? static_cast<std::uint32_t>(directions_.size()) - 1 : k - 1;
    }
}

// [0, 4], rising with the angle
double ConvexRing::direction_of(double x, double y) const {
    const double dx = x - centre_.x, dy = y - centre_.y;
    const double part = dx / (std::abs(dx) + std::abs(dy));
    return dy >= 0 ? 1 - part : 3 + part;
}

std::size_t ConvexRing::bin_of(double direction) const {
    const auto bins = static_cast<double>(corner_.size());
    return std::min(corner_.size() - 1, static_cast<std::size_t>(direction * (bins / 4)));
}

bool ConvexRing::is_within(double x, double y, double slack) const {
    if (corners_.empty()) return false;
    const double direction = direction_of(x, y);
    if (!(direction >= 0)) return true;  // the centre
    std::size_t k = corner_[bin_of(direction)];
    if (direction < directions_[0]) {
        k = directions_.size() - 1;
    } else {
        if (k + 1 == directions_.size() && direction < directions_[k]) k = 0;
        while (k + 1 < directions_.size() && directions_[k + 1] <= direction) ++k;
    }
    const Corner &a = corners_[k], &b = corners_[k + 1];
    const double ex = b.x - a.x, ey = b.y - a.y;
    const double beyond = ey * (x - a.x) - ex * (y - a.y);  // of the edge
    if (beyond <= 0) return true;
    const double depth = ex * (centre_.y - a.y) - ey * (centre_.x - a.x);
    return beyond * portable::hypot(x - centre_.x, y - centre_.y) <= slack * (depth + beyond);
}

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

WideColumns::WideColumns(const Comparison& comparison, PairRange pairs,
                         std::span<const double> largest_square)
    : comparison_(comparison), octagons_(pairs.count), dull_(pairs.count), prefixes_(pairs.count) {
    for (const double square : largest_square) columns_.emplace_back(square);
    for (std::size_t i = 0; i < columns_.size(); ++i) dull_[i] = columns_[i].dull_square();
}

void WideColumns::observe(const Tile& tile) {
    const std::size_t rows = tile.positions.size(), stride = columns_.size();
    for (auto* values : {&x_, &y_, &outside_}) values->resize(rows * stride);
    kernels().checks->wide_errors(
        {rows, stride, {tile.cos, tile.sin}, {tile.effective_cos, tile.effective_sin}},
        comparison_.effective_amplitude, octagons_.octagons(), dull_.data(),
        {x_.data(), y_.data(), outside_.data()});
    for (std::size_t r = 0; r < rows; ++r) {
        const double position = tile.positions[r];
        if (last_position_ && octave_of(position) != octave_of(*last_position_)) close_prefix();
        last_position_ = position;
        for (std::size_t i = 0; i < stride; ++i) {
            const std::size_t k = r * stride + i;
            if (outside_[k] != 0) insert({x_[k], y_[k], 0, position}, i);
        }
    }
}

void WideColumns::insert(const Deviation& v, std::size_t i) {
    const int reductions = columns_[i].reductions();
    columns_[i].insert(v);
    if (columns_[i].reductions() != reductions) pass_over_reduced(i);
}

void WideColumns::pass_over_reduced(std::size_t i) {
    dull_[i] = columns_[i].dull_square();
    std::vector<PlanePoint> ring;
    for (const auto& vertex : columns_[i].vertices()) ring.push_back({vertex.x, vertex.y});
    octagons_.inscribe(i, ring);
}

void WideColumns::close_prefix() {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        prefixes_[i].push_back({*last_position_, columns_[i].worst()});
        if (columns_[i].reductions() > 0) pass_over_reduced(i);
    }
}

std::vector<std::vector<PrefixWorst>> WideColumns::finish() {
    if (last_position_) close_prefix();
    return std::move(prefixes_);
}

}  // namespace rope
