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
constexpr double usual_piece = 2, rest_of_piece = 1;
constexpr double most_pieces = 64;

// What a search takes of looks at all distances is more with a longer context.
std::uint64_t all_looks(std::uint64_t context) {
    return std::max<std::uint64_t>(512, std::bit_floor(context) >> 16);
}

// `stopped` was reached from `from` in `taken`, and each is to take `each`.
std::size_t pieces_left(double from, double stopped, double to, double taken, double each) {
    const double left = taken * (to - stopped) / (stopped - from);
    return 1 + static_cast<std::size_t>(std::min(left / each, most_pieces));
}

// Of equal lengths, up to their last end.
std::vector<double> equal_ends(double from, double to, std::size_t count) {
    std::vector<double> ends;
    for (std::size_t k = 1; k < count; ++k)
        ends.push_back(from + (to - from) * static_cast<double>(k) / static_cast<double>(count));
    ends.push_back(to);
    return ends;
}

// Ways one after the other.
class Joined {
  public:
    explicit Joined(bool proved) : risen_{{}, proved} {}

    void add(const std::optional<Ascent>& next) {
        is_known_ = is_known_ && next;
        if (is_known_) risen_ = {next->end, risen_.proved && next->proved};
    }
    bool is_known() const { return is_known_; }
    bool has_end() const { return is_known_ && risen_.end; }
    std::optional<Ascent> ascent() const {
        return is_known_ ? std::optional(risen_) : std::nullopt;
    }

  private:
    bool is_known_ = true;
    Ascent risen_;
};

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

// A step is from a base of the ratio to the next, so that ways from different bases share what lies
// between them. Its pieces are as many as the beginning of the part says.
std::vector<WaysUp::Ends> WaysUp::steps(const BasePart& part, double from, double to) const {
    std::vector<double> bases = products(part.from, scope_.ratio, part.to);
    const auto stopped = stopped_at(part);
    const std::size_t count =
        stopped ? pieces_left(part.from, *stopped, part.to, 1, usual_piece) : 1;
    const std::size_t each = (count - 1) / bases.size() + 1;
    bases.push_back(part.to);
    std::vector<Ends> steps;
    for (std::size_t i = 0; i + 1 < bases.size() && bases[i] < to; ++i) {
        Ends ends;
        for (const double end : equal_ends(bases[i], bases[i + 1], each))
            if (from < end && end < to) ends.push_back(end);
        if (bases[i + 1] >= to) ends.push_back(to);
        if (!ends.empty()) steps.push_back(ends);
    }
    return steps;
}

std::optional<Ascent> WaysUp::through(const BasePart& part) {
    const Bytes* answer = answers_.ask(whole(part), Urgency::first);
    if (answer == nullptr) return std::nullopt;
    const Ascent risen = ascent_of(*answer);
    if (!risen.stopped_at) return risen;
    return in_steps(part, *risen.stopped_at, part.to, risen.proved);
}

std::optional<Ascent> WaysUp::rise(const BasePart& part, double from, double to) {
    if (are_divided()) return in_steps(part, from, to, true);
    const Bytes* answer = answers_.ask({BoundTask::rise, from, to, longest_});
    return answer == nullptr ? std::nullopt : std::optional(ascent_of(*answer));
}

std::optional<Ascent> WaysUp::in_steps(const BasePart& part, double from, double to, bool proved) {
    Joined way(proved);
    for (const Ends& ends : steps(part, from, to)) {
        way.add(in_pieces(from, ends, ends.size() > 1 ? Urgency::first : Urgency::usual));
        if (way.has_end()) break;
        from = ends.back();
    }
    return way.ascent();
}

// Above a piece that has a base, or may have one, the others are needless, or may be.
std::optional<Ascent> WaysUp::in_pieces(double from, const Ends& ends, Urgency urgency) {
    Joined way(true);
    for (const double end : ends) {
        const auto next = piece(from, end, way.is_known() ? urgency : Urgency::spare);
        way.add(next);
        if (next && next->end) break;
        from = end;
    }
    return way.ascent();
}

std::optional<Ascent> WaysUp::piece(double from, double to, Urgency urgency) {
    const Bytes* answer =
        answers_.ask({BoundTask::rise, from, to, longest_piece * longest_}, urgency);
    if (answer == nullptr) return std::nullopt;
    const Ascent risen = ascent_of(*answer);
    if (!risen.stopped_at) return risen;
    const double stopped = *risen.stopped_at;
    const std::size_t count = pieces_left(from, stopped, to, longest_piece, rest_of_piece);
    Joined way(risen.proved);
    way.add(in_pieces(stopped, equal_ends(stopped, to, count), urgency));
    return way.ascent();
}

}  // namespace rope
