#include "rope/base_bound/base_search.hpp"

#include <algorithm>
#include <cmath>

#include "rope/base_bound/round_base.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double widest_search = 1000;  // times the infimum
constexpr double usual_search = 10;
constexpr std::size_t rounds_at_once = 32;
constexpr double rounds_apart = 1 + 1. / 64;

// Islands are looked for in steps of this ratio, which a few seconds allow.
double step_ratio(std::uint64_t context) {
    return context <= 1 << 15 ? 1.0002 : context <= 1 << 18 ? 1.001 : 1.005;
}

bool wants_islands(const BaseQuestion& question) {
    return question.search_to || question.pairs.rotating * question.context <= question.island_work;
}

// Those of the next part, which may begin with the rest of the last one.
void append(std::vector<Island>& all, const std::vector<Island>& next) {
    for (const Island& each : next)
        if (!all.empty() && !all.back().to.position && all.back().to.base == each.from.base)
            all.back().to = each.to;
        else
            all.push_back(each);
}

}  // namespace

BaseSearch::BaseSearch(const BaseQuestion& question, unsigned workers)
    : question_(question),
      scope_{question.pairs, question.context, step_ratio(question.context)},
      parts_(scope_, answers_, workers),
      least_holding_(HUGE_VAL) {}

Bytes BaseSearch::perform(const Bytes& task) const {
    return rope::perform(scope_, value_of<BoundTask>(task));
}

// 0 where islands are not looked for; at most what it will be, while the infimum is not known.
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
    // of a round that open_round() had to ask about first
    if (auto task = answers_.next(Urgency::last)) return task;
    return next_spare();
}

std::optional<Bytes> BaseSearch::next_spare() {
    answers_.want_spare(true);
    for (std::size_t part = lowest_; part < opened_; ++part) ask_about(part);
    answers_.want_spare(false);
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

// Part by part; islands that waited for it are asked about now.
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

// None while it is not known; an empty one if no base to largest_base will do.
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

}  // namespace rope
