#include "rope/columns/convex_ring.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "rope/exact/elementary.hpp"

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

}  // namespace rope
