#include "rope/diagnose/search/least_replays.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "rope/evidence/hypothesis.hpp"

namespace rope {
namespace {

// By a rule that has no parameter of the dump's own before one that has.
std::pair<int, int> rank(const Replay& one) { return {one.cost, one.cost_of_positions()}; }

// Where float32 places all pairs anywhere, anything explains them; frequencies by which it places
// some pair anywhere explain whatever that does.
bool is_chance(const Replay& replay, const std::vector<double>& asked_theta) {
    const Hypothesis own = replay.hypothesis();
    if (!says_enough(replay.reading->samples, own)) return true;
    if (replay.frequencies.mistake.empty()) return false;
    Hypothesis asked = own;
    asked.theta = asked_theta;
    return asked.theta.size() == own.theta.size() &&
           !predicts_as_much(replay.reading->samples, own, asked);
}

}  // namespace

bool LeastReplays::add(Replay& replay, const std::vector<double>& asked_theta) {
    replay.after = misfit(replay.reading->samples, replay.hypothesis(), 1);
    if (!(replay.after <= 1) || is_chance(replay, asked_theta)) return false;
    const bool is_open = std::ranges::none_of(
        found_, [&](const Replay& one) { return one.verified && rank(one) <= rank(replay); });
    if (verify_ && is_open && !verify_(replay)) return false;
    replay.verified = is_open;
    least_ = std::min(least_, replay.cost);
    const auto order = [](const Replay& one) { return std::tuple(!one.verified, rank(one)); };
    found_.insert(std::ranges::upper_bound(found_, order(replay), {}, order), replay);
    return true;
}

std::vector<Replay> LeastReplays::list() && {
    std::erase_if(found_, [&](const Replay& replay) { return replay.cost > least_; });
    return std::move(found_);
}

}  // namespace rope
