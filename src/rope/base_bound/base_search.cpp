#include "rope/base_bound/base_search.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>

#include "rope/base_bound/base_bound.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double widest_search = 1000;  // maximum, as a multiple of the infimum
constexpr double usual_search = 10;
constexpr std::size_t rounds_at_once = 32;
constexpr double rounds_apart = 1 + 1. / 64;

// Returns the step between tried bases; smaller ones would take more than a few seconds.
double step_ratio(std::uint64_t context) {
    return context <= 1 << 15 ? 1.0002 : context <= 1 << 18 ? 1.001 : 1.005;
}

bool wants_islands(const BaseQuestion& question) {
    return question.search_to || question.pairs.rotating * question.context <= question.island_work;
}

// Appends islands; the first one may continue the last island of the part before.
void append(std::vector<Island>& all, const std::vector<Island>& next) {
    for (const Island& each : next)
        if (!all.empty() && !all.back().to.position && all.back().to.base == each.from.base)
            all.back().to = each.to;
        else
            all.push_back(each);
}

}  // namespace

BaseSearch::BaseSearch(const BaseQuestion& question)
    : question_(question),
      scope_{question.pairs, question.context, step_ratio(question.context)},
      parts_(scope_, answers_),
      least_holding_(HUGE_VAL) {}

Bytes BaseSearch::perform(const Bytes& task) const {
    return rope::perform(scope_, value_of<BoundTask>(task));
}

// Returns 0 if islands are not searched. While the infimum is unknown, returns a lower bound.
double BaseSearch::searched_to() const {
    if (!wants_islands(question_)) return 0;
    const double lowest = infimum_                   ? infimum_->base
                          : lowest_ == parts_.size() ? largest_base
                                                     : parts_.start(lowest_);
    return std::min({question_.search_to.value_or(usual_search * lowest), widest_search * lowest,
                     largest_base});
}

std::optional<Bytes> BaseSearch::next() {
    for (bool is_more = true; is_more;) {
        if (auto task = answers_.next(Urgency::last)) return task;
        is_more = open_round() || open_part();
    }
    // tasks for a round that open_round() had to ask for first
    if (auto task = answers_.next(Urgency::last)) return task;
    return answers_.next(Urgency::closing);
}

bool BaseSearch::open_part() {
    if (opened_ == parts_.size()) return false;
    const double start = parts_.start(opened_);
    const bool may_have_infimum = !infimum_ && start <= least_holding_;
    if (!may_have_infimum && start > searched_to()) return false;
    ask_about(opened_++);
    return true;
}

void BaseSearch::ask_about(std::size_t part) {
    if (!parts_.first(part, least_holding_ < parts_.start(part))) return;
    find_infimum();
    const bool is_certain = infimum_ || parts_.start(part + 1) <= searched_to();
    if (is_certain && parts_.start(part) <= searched_to())
        (void)parts_.islands(part, searched_to());
}

// Goes through the parts in order, and asks for the islands that depend on the infimum.
void BaseSearch::find_infimum() {
    const std::size_t before = lowest_;
    if (infimum_) return;
    while (lowest_ < opened_) {
        const auto first = parts_.first(lowest_, false);
        if (!first) break;
        is_proved_ = is_proved_ && first->proved;
        infimum_ = first->end;
        if (infimum_) break;
        ++lowest_;
    }
    if (infimum_ || lowest_ != before)
        for (std::size_t part = lowest_; part < opened_; ++part) ask_about(part);
}

void BaseSearch::take(const Bytes& bytes, const Bytes& result) {
    const auto task = value_of<BoundTask>(bytes);
    answers_.take(bytes, result);
    if (task.kind == BoundTask::round) return;
    note_what_holds(task, result);
    const std::size_t part = parts_.part_of(task.from);
    for (const std::size_t each : {part, part == 0 ? part : part - 1})
        if (each < opened_) ask_about(each);
}

void BaseSearch::note_what_holds(const BoundTask& task, const Bytes& result) {
    if (task.kind == BoundTask::rise)
        if (const auto end = ascent_of(result).end)
            least_holding_ = std::min(least_holding_, end->base);
}

BoundTask BaseSearch::round_task(std::size_t k) const {
    const double from = round_start() * portable::pow(rounds_apart, static_cast<double>(k));
    return {BoundTask::round, from,
            std::min(from * rounds_apart, std::nextafter(largest_base, HUGE_VAL)),
            static_cast<std::uint64_t>(question_.digits)};
}

// Returns nothing while unknown, and an empty base if none up to largest_base holds.
std::optional<std::optional<double>> BaseSearch::first_round() {
    for (;; ++rounds_failed_) {
        const BoundTask task = round_task(rounds_failed_);
        if (task.from > largest_base) return std::optional<double>();
        if (round_up_to_digits(task.from, question_.digits) >= task.to) continue;
        const Bytes* result = answers_.ask(task, Urgency::first);
        if (result == nullptr) return std::nullopt;
        if (const auto base = round_base_of(*result)) return base;
    }
}

bool BaseSearch::open_round() {
    if (!infimum_ || first_round()) return false;
    rounds_ = std::max(rounds_, rounds_failed_);
    while (rounds_ < rounds_failed_ + rounds_at_once) {
        const BoundTask task = round_task(rounds_++);
        if (round_up_to_digits(task.from, question_.digits) >= task.to ||
            task.from > largest_base || answers_.was_asked(task))
            continue;
        (void)answers_.ask(task, Urgency::first);
        return true;
    }
    return false;
}

BaseBound BaseSearch::bound() {
    BaseBound bound;
    opened_ = parts_.size();
    find_infimum();
    bound.infimum = infimum_;
    bound.proved = is_proved_;
    if (infimum_) bound.on_grid = *first_round();
    if (!wants_islands(question_)) return bound;
    bound.searched_to = searched_to();
    bound.ratio = scope_.ratio;
    for (std::size_t k = lowest_; k < parts_.size() && parts_.start(k) <= bound.searched_to; ++k)
        append(bound.islands, parts_.islands(k, bound.searched_to).value());
    const bool holds_at_last = !bound.islands.empty() && !bound.islands.back().to.position;
    if (!holds_at_last)
        bound.largest_failing = bound.searched_to;
    else if (bound.islands.back().from.position)
        bound.largest_failing = bound.islands.back().from.base;
    return bound;
}

namespace {

// A look at all distances stays useful for about as long.
constexpr double part_ratio = 1 + 1. / 16;

// Returns first, first·ratio, … below `end`, or nothing if the ratio was rounded to 1.
std::vector<double> products(double first, double ratio, double end) {
    std::vector<double> all;
    while (first < end && ratio > 1) {
        all.push_back(first);
        first *= ratio;
    }
    return all;
}

}  // namespace

// State of the search in one part, from below.
struct BaseParts::Found {
    std::vector<Island> all;
    std::optional<IslandEnd> from;  // start of the current island; none if unknown
    std::optional<double> holds;    // a base of that island
    bool is_known;                  // whether all answers so far are known

    void end(const std::optional<IslandEnd>& to) {
        is_known = is_known && to;
        if (from && to) all.push_back({*from, *to});
    }
    // Begins the next island, from the result of an ascent or from a tried base that holds.
    void begin(const std::optional<Ascent>& next, std::optional<double> held) {
        is_known = is_known && next;
        from = next ? next->end : std::nullopt;
        if (next && !from && held) from = IslandEnd{*held, {}};
        holds = from ? from->base : held;
    }
};

BaseParts::BaseParts(const BoundScope& scope, BoundAnswers& answers)
    : scope_(scope), answers_(answers) {
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
    if (!answers_.was_asked(rise_through(k)) && (probably_holds || answers_.was_asked(test))) {
        const Bytes* holds = answers_.ask(test);
        if (holds == nullptr) return std::nullopt;
        if (holding_of(*holds).front() != 0) return Ascent{IslandEnd{start(k), {}}, true};
    }
    return ascent(rise_through(k), Urgency::first);
}

std::optional<Ascent> BaseParts::ascent(const BoundTask& rise, Urgency urgency) {
    const Bytes* answer = answers_.ask(rise, urgency);
    return answer == nullptr ? std::nullopt : std::optional(ascent_of(*answer));
}

// Returns the tried bases of a part between two bases; short tests share a task.
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

// Returns the end of the island in which `holds` is the last tried base of the part.
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
    if (!lowest->end || lowest->end->base > last) return std::vector<Island>();
    const auto bases = tried(k, lowest->end->base, std::min(start(k + 1), last));
    if (!bases) return std::nullopt;
    Found found{{}, {}, {}, true};
    found.begin(lowest, {});
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

// Searches for the next island above a base that fails.
BaseParts::Bases::const_iterator BaseParts::next_island(std::size_t k, const Bases& bases,
                                                        Bases::const_iterator fails, Found& found) {
    const auto above = std::find_if(fails, bases.end(), [](const Tried& one) { return one.holds; });
    const bool is_last = above == bases.end();
    const std::optional<double> held =
        is_last || !above->holds ? std::nullopt : std::optional(above->base);
    const double to = is_last ? start(k + 1) : above->base;
    found.begin(ascent({BoundTask::rise, fails->base, to, 0}, Urgency::usual), held);
    if (!found.from) return above;
    return std::find_if(fails, bases.end(),
                        [&](const Tried& one) { return one.base > found.from->base; });
}

}  // namespace rope
