#include "rope/base_bound/base_parts.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "rope/base_bound/cosine_scan.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double part = 1 + 1. / 16;  // as long as a look at all distances serves

// A rise may cost hundreds of looks at all distances, and to begin one anew costs one or two.
constexpr unsigned few_workers = 8;
constexpr std::uint64_t least_looks = 4, all_looks = 512, least_blocks = 256;
constexpr std::size_t pieces = 6;

// first, first·ratio, … below `end`; none where the ratio is rounded to 1
std::vector<double> products(double first, double ratio, double end) {
    std::vector<double> all;
    while (first < end && ratio > 1) {
        all.push_back(first);
        first *= ratio;
    }
    return all;
}

}  // namespace

BaseParts::BaseParts(const BoundScope& scope, BoundAnswers& answers, unsigned workers)
    : scope_(scope), answers_(answers), longest_rise_(Exclusion::no_limit) {
    if (workers > few_workers)
        longest_rise_ = std::max<std::uint64_t>(least_looks, all_looks / workers) *
                        (scope.context / CosineScan::size + least_blocks);
    const double end = std::nextafter(largest_base, HUGE_VAL);
    starts_ = products(1, part, end);
    starts_.push_back(end);
}

std::size_t BaseParts::part_of(double base) const {
    const auto next = std::upper_bound(starts_.begin(), starts_.end() - 1, base);
    return static_cast<std::size_t>(next - starts_.begin()) - 1;
}

std::optional<Ascent> BaseParts::first(std::size_t k, bool probably_holds) {
    const BoundTask whole{BoundTask::rise, start(k), start(k + 1), longest_rise_};
    const BoundTask test{BoundTask::test, start(k), 0, 1};
    if (!answers_.was_asked(whole) && (probably_holds || answers_.was_asked(test))) {
        const Bytes* holds = answers_.ask(test);
        if (holds == nullptr) return std::nullopt;
        if (holding_of(*holds).front() != 0) return Ascent{IslandEnd{start(k), {}}, true};
    }
    return rise(start(k), start(k + 1));
}

// The part's bases of the ratio between two, several a task where they are quick.
std::optional<std::vector<BaseParts::Tried>> BaseParts::tried(std::size_t k, double above,
                                                              double below) {
    const std::uint64_t cosines =
        scope_.pairs.rotating * std::max<std::uint64_t>(scope_.context, 1);
    const std::size_t at_once =
        std::clamp<std::uint64_t>((std::uint64_t{1} << 25) / cosines, 1, 64);
    std::vector<Tried> all;
    for (const double base : products(start(k), scope_.ratio, below))
        if (base > above) all.push_back({base, false});
    bool is_known = true;
    for (std::size_t first = 0; first < all.size(); first += at_once) {
        const std::size_t count = std::min(at_once, all.size() - first);
        const Bytes* holds = answers_.ask({BoundTask::test, all[first].base, 0, count});
        is_known = is_known && holds != nullptr;
        if (holds == nullptr) continue;
        const auto each = holding_of(*holds);
        for (std::size_t i = 0; i < count; ++i) all[first + i].holds = each[i] != 0;
    }
    return is_known ? std::optional(all) : std::nullopt;
}

// Where to divide a long way: at bases of the ratio, so that ways from different bases share what
// lies between them, or else in equal pieces.
std::vector<double> BaseParts::cuts(double from, double to) const {
    std::vector<double> cuts;
    for (const double base : products(start(part_of(from)), scope_.ratio, to))
        if (base > from) cuts.push_back(base);
    const double piece = portable::pow(to / from, 1. / pieces);
    for (const double base : products(from * piece, piece, to)) {
        if (cuts.size() + 1 >= pieces) break;
        if (base > from) cuts.push_back(base);
    }
    std::ranges::sort(cuts);
    cuts.push_back(to);
    return cuts;
}

// From a base up to the first that holds, at most `to`; what is left of a long way in pieces.
std::optional<Ascent> BaseParts::rise(double from, double to) {
    Ascent risen{std::nullopt, true};
    const auto is_cut = [&] {
        const double first = cuts(from, to).front();
        return first < to && answers_.was_asked({BoundTask::rise, from, first, longest_rise_});
    };
    if (longest_rise_ == Exclusion::no_limit || !is_cut()) {
        const Bytes* answer = answers_.ask({BoundTask::rise, from, to, longest_rise_});
        if (answer == nullptr) return std::nullopt;
        risen = ascent_of(*answer);
        if (!risen.stopped_at) return risen;
        from = *risen.stopped_at;
    }
    bool is_known = true;
    for (const double cut : cuts(from, to)) {
        const auto piece = rise(from, cut);
        is_known = is_known && piece;
        if (is_known) {
            risen.proved = risen.proved && piece->proved;
            if (piece->end) return Ascent{piece->end, risen.proved};
        }
        from = cut;
    }
    return is_known ? std::optional(Ascent{std::nullopt, risen.proved}) : std::nullopt;
}

// The same from one tried base to the next, where many can be asked about at once: where an island
// lies between two that fail, others do.
std::optional<Ascent> BaseParts::rise_by_steps(std::span<const Tried> failing, double ceiling) {
    if (longest_rise_ == Exclusion::no_limit) return rise(failing.front().base, ceiling);
    std::optional<Ascent> risen = Ascent{std::nullopt, true};
    for (std::size_t k = 0; k < failing.size(); ++k) {
        const auto step =
            rise(failing[k].base, k + 1 < failing.size() ? failing[k + 1].base : ceiling);
        if (!risen || risen->end) continue;
        if (step) risen->proved = risen->proved && step->proved, risen->end = step->end;
        if (!step) risen.reset();
    }
    return risen;
}

std::optional<IslandEnd> BaseParts::island_end(double holds, double fails) {
    const Bytes* end = answers_.ask({BoundTask::end, holds, fails, 0});
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
    if (!lowest) return std::nullopt;
    std::vector<Island> islands;
    if (!lowest->end || lowest->end->base > last) return islands;
    const auto bases = tried(k, lowest->end->base, std::min(start(k + 1), last));
    if (!bases) return std::nullopt;
    bool is_known = true;
    std::optional<IslandEnd> from = lowest->end;  // none while that is not known
    double holds = from->base;
    for (auto each = bases->begin(); each != bases->end();) {
        if (each->holds) {
            holds = (each++)->base;
            continue;
        }
        const auto is_held = [](const Tried& one) { return one.holds; };
        const auto held = std::find_if(each, bases->end(), is_held);
        const bool is_last = held == bases->end();
        const double ceiling = is_last ? start(k + 1) : held->base;
        const auto to = island_end(holds, each->base);
        const bool is_beyond_an_island = each != bases->begin() && !std::prev(each)->holds;
        const auto next =
            is_beyond_an_island ? rise_by_steps({each, held}, ceiling) : rise(each->base, ceiling);
        is_known = is_known && to && next;
        if (from && to) islands.push_back({*from, *to});
        from.reset();
        if (next) from = next->end;
        if (next && !next->end && !is_last) from = IslandEnd{ceiling, std::nullopt};
        if (is_last && (!from || from->base > last))
            return is_known ? std::optional(islands) : std::nullopt;
        holds = from ? from->base : ceiling;
        each = std::find_if(each, bases->end(), [&](const Tried& one) { return one.base > holds; });
    }
    const auto to = end_of_part(k, holds, last);
    if (!to || !is_known) return std::nullopt;
    islands.push_back({*from, *to});
    return islands;
}

}  // namespace rope
