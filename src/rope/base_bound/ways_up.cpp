#include "rope/base_bound/ways_up.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace rope {
namespace {

constexpr unsigned few_workers = 8;
constexpr std::uint64_t least_looks = 4, least_work = 1024;
// of longest_
constexpr std::uint64_t longest_piece = 2;
constexpr double usual_piece = 2;
constexpr double most_pieces = 64;

// What a search takes of looks at all distances is more with a longer context.
std::uint64_t all_looks(std::uint64_t context) {
    return std::max<std::uint64_t>(512, std::bit_floor(context) >> 15);
}

// `stopped` was reached from `from` in that many times longest_.
std::size_t pieces_left(double from, double stopped, double to, std::uint64_t taken) {
    const double left = static_cast<double>(taken) * (to - stopped) / (stopped - from);
    return 1 + static_cast<std::size_t>(std::min(left / usual_piece, most_pieces));
}

// Of equal lengths, up to their last end.
std::vector<double> equal_ends(double from, double to, std::size_t count) {
    std::vector<double> ends;
    for (std::size_t k = 1; k < count; ++k)
        ends.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(count));
    ends.push_back(to);
    return ends;
}

}  // namespace

std::vector<double> products(double first, double ratio, double end) {
    std::vector<double> all;
    while (first < end && ratio > 1) {
        all.push_back(first);
        first *= ratio;
    }
    return all;
}

WaysUp::WaysUp(const BoundScope& scope, BoundAnswers& answers, unsigned workers)
    : scope_(scope), answers_(answers), longest_(Exclusion::no_limit) {
    if (workers > few_workers)
        longest_ = std::max(least_looks, all_looks(scope.context) / workers) *
                   (Excluders::work_of_look(scope.context) + least_work);
}

BoundTask WaysUp::whole(const BasePart& part) const {
    return {BoundTask::rise, part.from, part.to, longest_};
}

bool WaysUp::has_begun(const BasePart& part) const { return answers_.was_asked(whole(part)); }

std::optional<double> WaysUp::stopped_at(const BasePart& part) const {
    const Bytes* whole = answers_.find(this->whole(part));
    return whole == nullptr ? std::nullopt : ascent_of(*whole).stopped_at;
}

// At bases of the ratio, so that ways from different bases share what lies between them, and
// between these as often as the beginning of the part says.
std::vector<double> WaysUp::cuts(const BasePart& part, double from, double to) const {
    std::vector<double> steps = products(part.from, scope_.ratio, part.to);
    const auto stopped = stopped_at(part);
    const std::size_t count = stopped ? pieces_left(part.from, *stopped, part.to, 1) : 1;
    const std::size_t each = (count - 1) / steps.size() + 1;
    steps.push_back(part.to);
    std::vector<double> cuts;
    for (std::size_t i = 0; i + 1 < steps.size(); ++i)
        for (const double end : equal_ends(steps[i], steps[i + 1], each))
            if (from < end && end < to) cuts.push_back(end);
    cuts.push_back(to);
    return cuts;
}

std::optional<Ascent> WaysUp::through(const BasePart& part) {
    const Bytes* answer = answers_.ask(whole(part), Urgency::first);
    if (answer == nullptr) return std::nullopt;
    const Ascent risen = ascent_of(*answer);
    if (!risen.stopped_at) return risen;
    return pieces(*risen.stopped_at, cuts(part, *risen.stopped_at, part.to), risen.proved,
                  Urgency::usual);
}

std::optional<Ascent> WaysUp::rise(const BasePart& part, double from, double to) {
    if (are_divided()) return pieces(from, cuts(part, from, to), true, Urgency::usual);
    const Bytes* answer = answers_.ask({BoundTask::rise, from, to, longest_});
    return answer == nullptr ? std::nullopt : std::optional(ascent_of(*answer));
}

std::optional<Ascent> WaysUp::piece(double from, double to, Urgency urgency) {
    const Bytes* answer =
        answers_.ask({BoundTask::rise, from, to, longest_piece * longest_}, urgency);
    if (answer == nullptr) return std::nullopt;
    const Ascent risen = ascent_of(*answer);
    if (!risen.stopped_at) return risen;
    const std::size_t count = pieces_left(from, *risen.stopped_at, to, longest_piece);
    return pieces(*risen.stopped_at, equal_ends(*risen.stopped_at, to, count), risen.proved,
                  Urgency::usual);
}

std::optional<Ascent> WaysUp::pieces(double from, const std::vector<double>& cuts, bool proved,
                                     Urgency urgency) {
    bool is_known = true;
    for (const double cut : cuts) {
        const auto next = piece(from, cut, urgency);
        is_known = is_known && next;
        if (is_known) {
            proved = proved && next->proved;
            if (next->end) return Ascent{next->end, proved};
        }
        from = cut;
    }
    return is_known ? std::optional(Ascent{std::nullopt, proved}) : std::nullopt;
}

}  // namespace rope
