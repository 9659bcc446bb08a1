#include "rope/judge/position_parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

PositionParts listed_parts(std::span<const double> sizes) {
    PositionParts made{.scale = PositionScale::listed,
                       .first = 0,
                       .last = static_cast<double>(sizes.size()),
                       .edges = {sizes.begin(), sizes.end()}};
    made.edges.push_back(sizes.back() + 1);
    for (std::uint32_t k = 0; k < sizes.size(); ++k) made.columns.push_back(k);
    return made;
}

}  // namespace

std::size_t PositionParts::column_of(double position) const {
    const auto after = std::upper_bound(edges.begin() + 1, edges.end() - 1, position);
    return static_cast<std::size_t>(after - edges.begin()) - 1;
}

std::vector<double> sizes_of(std::span<const std::span<const double>> axes) {
    constexpr std::size_t few = 48;
    std::set<double> sizes;
    for (const std::span<const double> positions : axes)
        for (const double position : positions) {
            sizes.insert(std::abs(position));
            if (sizes.size() > few + 2) sizes.erase(std::prev(sizes.end(), 2));
        }
    const double least = *sizes.begin(), greatest = *sizes.rbegin();
    const auto count = static_cast<double>(sizes.size());
    const bool is_sparse = count > 2 && count <= few && greatest - least > 2 * count;
    if (is_sparse) return {sizes.begin(), sizes.end()};
    return {least, greatest};
}

PositionParts position_parts(std::span<const double> sizes, std::size_t parts) {
    if (sizes.size() > 2) return listed_parts(sizes);
    const double least = sizes.front(), greatest = sizes.back();
    constexpr double long_run = 32;
    const bool is_log = greatest >= long_run * std::max(least, 1.0);
    PositionParts made{.scale = is_log ? PositionScale::log : PositionScale::linear,
                       .first = is_log ? std::max(least, 1.0) : least,
                       .last = std::floor(greatest) + 1};
    made.edges = {std::min(least, made.first)};
    for (std::size_t p = 0; p < parts; ++p) {
        const double share = static_cast<double>(p) / static_cast<double>(parts);
        const double at = is_log ? made.first * portable::pow(made.last / made.first, share)
                                 : made.first + share * (made.last - made.first);
        const double whole = std::floor(at);
        if (p > 0 && whole > made.edges.back() && whole > made.first) made.edges.push_back(whole);
        made.columns.push_back(static_cast<std::uint32_t>(made.edges.size() - 1));
    }
    made.edges.push_back(made.last);
    return made;
}

}  // namespace rope
