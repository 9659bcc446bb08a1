#include "rope/checks/lane_mixing.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/decimal.hpp"
#include "rope/table/rotate.hpp"

namespace rope {
namespace {

using Lane = std::uint32_t;

// The other lanes that a lane ever reaches by more than rounding, the one it reaches most first.
std::vector<Lane> reached_from(const Answers& answers, Lane from) {
    std::vector<double> most(answers.audit.spec.head_dim);
    for (std::uint64_t place = 0; place < answers.audit.places(); ++place)
        for (Lane to = 0; to < most.size(); ++to)
            if (const double size = std::abs(answers.response(place, to, from)); size > most[to])
                most[to] = size;
    std::vector<Lane> reached;
    for (Lane to = 0; to < most.size(); ++to)
        if (to != from && most[to] > answers.roundoff()) reached.push_back(to);
    std::sort(reached.begin(), reached.end(),
              [&](Lane a, Lane b) { return most[a] == most[b] ? a < b : most[a] > most[b]; });
    return reached;
}

std::string listed(const std::vector<Lane>& lanes) {
    std::string text;
    for (std::size_t k = 0; k < std::min<std::size_t>(lanes.size(), 4); ++k)
        text += (k == 0 ? "" : ", ") + decimal(std::uint64_t{lanes[k]});
    return text + (lanes.size() > 4 ? ", …" : "");
}

// Whether every pair of `pairs` is one that the layout has in rotary_dim lanes from `first` on.
bool fits(PairLayout layout, Lane first, Lane rotary_dim, const std::vector<Lanes>& pairs) {
    return std::all_of(pairs.begin(), pairs.end(), [&](const Lanes& pair) {
        if (pair.first < first || pair.second >= first + rotary_dim) return false;
        const std::size_t a = pair.first - first, b = pair.second - first;
        const Lanes want =
            lanes_of_pair(layout, rotary_dim, layout == PairLayout::interleaved ? a / 2 : a);
        return a == want.first && b == want.second;
    });
}

LaneMixing named(const std::vector<Lanes>& pairs) {
    std::string text = "the program pairs lanes ";
    for (std::size_t k = 0; k < std::min<std::size_t>(pairs.size(), 2); ++k)
        text += (k == 0 ? "(" : ", (") + decimal(std::uint64_t{pairs[k].first}) + ", " +
                decimal(std::uint64_t{pairs[k].second}) + ")";
    if (pairs.size() > 2) text += ", …";
    const auto first = static_cast<Lane>(pairs.front().first);
    const auto gap = static_cast<Lane>(pairs.front().second) - first;
    const auto last = static_cast<Lane>(pairs.back().second);
    const auto from = first == 0 ? "" : " from lane " + decimal(std::uint64_t{first}) + " on";
    if (gap == 1 && fits(PairLayout::interleaved, first, last - first + 1, pairs))
        return {"interleaved", text + ": interleaved in " +
                                   decimal(std::uint64_t{last - first + 1}) + " lanes" + from};
    if (fits(PairLayout::half_split, first, 2 * gap, pairs))
        return {"half_split",
                text + ": half_split in " + decimal(std::uint64_t{2 * gap}) + " lanes" + from};
    return {"other", text};
}

}  // namespace

LaneMixing find_lane_mixing(const Answers& answers) {
    const Lane lanes = answers.audit.spec.head_dim;
    std::vector<std::vector<Lane>> reached;
    for (Lane from = 0; from < lanes; ++from) reached.push_back(reached_from(answers, from));
    std::vector<Lanes> pairs;
    for (Lane a = 0; a < lanes; ++a) {
        if (reached[a].empty()) continue;
        const Lane b = reached[a].front();
        if (reached[a].size() > 1 || reached[b].size() > 1 ||
            (reached[b].size() == 1 && reached[b].front() != a))
            return {"other", "the program maps lane " + decimal(std::uint64_t{a}) + " to lanes " +
                                 listed(reached[a])};
        if (a < b || reached[b].empty())
            pairs.push_back({std::min<std::size_t>(a, b), std::max<std::size_t>(a, b)});
    }
    if (pairs.empty()) return {"none", "the program mixes no lanes at all: it does not rotate"};
    return named(pairs);
}

}  // namespace rope
