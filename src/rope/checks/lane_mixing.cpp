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
        text += (k == 0 ? "" : ", ") + decimal(lanes[k]);
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
        text += (k == 0 ? "(" : ", (") + decimal(pairs[k].first) + ", " + decimal(pairs[k].second) +
                ")";
    if (pairs.size() > 2) text += ", …";
    const auto first = static_cast<Lane>(pairs.front().first);
    const auto gap = static_cast<Lane>(pairs.front().second) - first;
    const auto last = static_cast<Lane>(pairs.back().second);
    const auto from = first == 0 ? "" : " from lane " + decimal(first) + " on";
    if (gap == 1 && fits(PairLayout::interleaved, first, last - first + 1, pairs))
        return {"interleaved",
                text + ": interleaved in " + decimal(last - first + 1) + " lanes" + from};
    if (fits(PairLayout::half_split, first, 2 * gap, pairs))
        return {"half_split", text + ": half_split in " + decimal(2 * gap) + " lanes" + from};
    return {"other", text};
}

// Whether neighbours in the Spec's rotary lanes go to the two halves of these.
bool moves_lanes(Spec spec, const std::vector<std::vector<Lane>>& reached) {
    spec.layout = PairLayout::interleaved_to_half_split;
    bool moves = false;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
        const Lanes from = lanes_of_pair(spec, i), to = written_lanes_of_pair(spec, i);
        for (const std::size_t lane : {from.first, from.second})
            for (const Lane other : reached[lane]) {
                if (other != to.first && other != to.second) return false;
                moves = moves || (i > 0 && other != from.first && other != from.second);
            }
    }
    return moves;
}

}  // namespace

LaneMixing find_lane_mixing(const Answers& answers) {
    const Lane lanes = answers.audit.spec.head_dim;
    std::vector<std::vector<Lane>> reached;
    for (Lane from = 0; from < lanes; ++from) reached.push_back(reached_from(answers, from));
    if (moves_lanes(answers.audit.spec, reached))
        return {std::string(to_string(PairLayout::interleaved_to_half_split)),
                "the program reads lanes 2i and 2i + 1 and writes lanes i and i + " +
                    decimal(answers.audit.spec.pairs())};
    std::vector<Lanes> pairs;
    for (Lane a = 0; a < lanes; ++a) {
        if (reached[a].empty()) continue;
        const Lane b = reached[a].front();
        if (reached[a].size() > 1 || reached[b].size() > 1 ||
            (reached[b].size() == 1 && reached[b].front() != a))
            return {"other",
                    "the program maps lane " + decimal(a) + " to lanes " + listed(reached[a])};
        if (a < b || reached[b].empty())
            pairs.push_back({std::min<std::size_t>(a, b), std::max<std::size_t>(a, b)});
    }
    if (pairs.empty()) return {"none", "the program mixes no lanes at all: it does not rotate"};
    return named(pairs);
}

}  // namespace rope
