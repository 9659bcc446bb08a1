#include "rope/base_bound/base_parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double part_ratio = 1 + 1. / 16;  // as long as a look at all distances serves

}  // namespace

// Of a part, from below.
struct BaseParts::Found {
    std::vector<Island> all;
    std::optional<IslandEnd> from;  // of the one that has no end as yet; none while not known
    std::optional<double> holds;    // a base of that one
    bool is_known;                  // all so far

    void end(const std::optional<IslandEnd>& to) {
        is_known = is_known && to;
        if (from && to) all.push_back({*from, *to});
    }
    // The next, found on the way up to a base that holds, or to one that does not.
    void begin(const std::optional<Ascent>& next, std::optional<double> held) {
        is_known = is_known && next;
        from = next ? next->end : std::nullopt;
        if (next && !from && held) from = IslandEnd{*held, {}};
        holds = from ? from->base : held;
    }
};

BaseParts::BaseParts(const BoundScope& scope, BoundAnswers& answers, unsigned workers)
    : scope_(scope), answers_(answers), ways_(scope, answers, workers) {
    const double end = std::nextafter(largest_base, HUGE_VAL);
    starts_ = products(1, part_ratio, end);
    starts_.push_back(end);
}

std::size_t BaseParts::part_of(double base) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end() - 1, base);
    return static_cast<std::size_t>(next - starts_.begin()) - 1;
}

std::optional<Ascent> BaseParts::first(std::size_t k, bool probably_holds) {
    const BoundTask test{BoundTask::test, start(k), 0, 1};
    if (!ways_.has_begun(part(k)) && (probably_holds || answers_.was_asked(test))) {
        const Bytes* holds = answers_.ask(test);
        if (holds == nullptr) return std::nullopt;
        if (holding_of(*holds).front() != 0) return Ascent{IslandEnd{start(k), {}}, true};
    }
    return ways_.through(part(k));
}

// The part's bases of the ratio between two, several a task where they are quick.
std::optional<std::vector<BaseParts::Tried>> BaseParts::tried(std::size_t k, double above,
                                                              double below) {
    const std::uint64_t cosines =
        scope_.pairs.rotating * std::max<std::uint64_t>(scope_.context, 1);
    const std::size_t at_once =
        std::clamp<std::uint64_t>((std::uint64_t{1} << 25) / cosines, 1, 64);
    const Urgency urgency = above > start(k) ? Urgency::first : Urgency::last;
    const std::vector<double> bases = products(start(k), scope_.ratio, below);
    std::vector<Tried> all;
    bool is_known = true;
    for (std::size_t first = 0; first < bases.size(); first += at_once) {
        const std::size_t count = std::min(at_once, bases.size() - first);
        if (bases[first + count - 1] <= above) continue;
        const Bytes* holds = answers_.ask({BoundTask::test, bases[first], 0, count}, urgency);
        is_known = is_known && holds != nullptr;
        if (!is_known) continue;
        const auto each = holding_of(*holds);
        for (std::size_t i = 0; i < count; ++i)
            if (bases[first + i] > above) all.push_back({bases[first + i], each[i] != 0});
    }
    return is_known ? std::optional(all) : std::nullopt;
}

std::optional<IslandEnd> BaseParts::island_end(double holds, double fails) {
    const Bytes* end = answers_.ask({BoundTask::end, holds, fails, 0}, Urgency::closing);
    return end == nullptr ? std::nullopt : std::optional(island_end_of(*end));
}

// Of an island in which `holds` is the last base that was tried.
std::optional<IslandEnd> BaseParts::end_of_part(std::size_t k, double holds, double last) {
    const double end = start(k + 1);
    if (end >= last) return IslandEnd{last, std::nullopt};
    const auto next = first(k + 1, true);
    if (!next) return std::nullopt;
    if (next->end && next->end->base == end) return IslandEnd{end, std::nullopt};
    return island_end(holds, end);
}

std::optional<std::vector<Island>> BaseParts::islands(std::size_t k, double last) {
    const auto lowest = first(k, false);
    const auto excluded_to = ways_.stopped_at(part(k));
    if (!lowest && !excluded_to) return std::nullopt;
    if (lowest && (!lowest->end || lowest->end->base > last)) return std::vector<Island>();
    const auto bases =
        tried(k, lowest ? lowest->end->base : *excluded_to, std::min(start(k + 1), last));
    if (!bases) return std::nullopt;
    Found found{{}, {}, {}, lowest.has_value()};
    if (lowest) found.begin(lowest, {});
    for (auto each = bases->begin(); each != bases->end();) {
        if (each->holds) {
            found.holds = (each++)->base;
            continue;
        }
        if (found.holds) found.end(island_end(*found.holds, each->base));
        each = next_island(k, *bases, each, found);
    }
    if (found.from && found.from->base > last) found.holds.reset();
    if (found.holds) found.end(end_of_part(k, *found.holds, last));
    return found.is_known ? std::optional(found.all) : std::nullopt;
}

// Above a base that fails; where many can be asked about at once, up to the next one only: where
// an island lies between two that fail, others do.
BaseParts::Bases::const_iterator BaseParts::next_island(std::size_t k, const Bases& bases,
                                                        Bases::const_iterator fails, Found& found) {
    const auto above =
        ways_.are_divided()
            ? std::next(fails)
            : std::find_if(fails, bases.end(), [](const Tried& one) { return one.holds; });
    const bool is_last = above == bases.end();
    const std::optional<double> held =
        is_last || !above->holds ? std::nullopt : std::optional(above->base);
    found.begin(ways_.rise(part(k), fails->base, is_last ? start(k + 1) : above->base), held);
    if (!found.from) return above;
    return std::find_if(fails, bases.end(),
                        [&](const Tried& one) { return one.base > found.from->base; });
}

}  // namespace rope
