#include "rope/comparison/odd_turns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

namespace rope {
namespace {

// Of sums of the same pairs: those that are odd, where others show that they are not.
template <class Key>
std::vector<Key> odd_ones(const std::map<Key, RateSum>& sums, const SlowPair& pair) {
    std::vector<Key> odd;
    RateSum all;
    for (const auto& [key, sum] : sums)
        if (is_odd(sum, pair)) {
            odd.push_back(key);
            all.add(sum);
        }
    if (odd.empty()) return {};
    const double half = std::abs(all.deviation()) / 2;
    const bool has_right = std::ranges::any_of(sums, [&](const auto& one) {
        const RateSum& sum = one.second;
        return sum.lanes() > 0 && !is_odd(sum, pair) && sum.allowed() + pair.tolerance < half;
    });
    return has_right ? odd : std::vector<Key>{};
}

class OddTurnSearch {
  public:
    OddTurnSearch(const SlowTurns& turns, const TurnRates& rates)
        : turns_(turns), is_odd_pair_(turns.pairs().size()) {
        for (std::size_t k = 0; k < is_odd_pair_.size(); ++k) {
            const SlowPair& pair = turns.pairs()[k];
            is_odd_pair_[k] = is_odd(rates.of_pair[k], pair) ||
                              std::ranges::any_of(rates.of[k], [&](const RateSum& sum) {
                                  return is_odd(sum, pair);
                              });
        }
        find_groups(rates);
        find_positions();
    }

    OddTurns found() && {
        const std::vector<Rate> own = fitted_rates(false), common = fitted_rates(true);
        const auto turning = turnings(own, common);
        for (std::size_t k = 0; k < own.size(); ++k)
            if (is_odd_pair_[k]) add(k, turning[k]);
        return std::move(found_);
    }

  private:
    bool counts(const SlowTurns::Turn& turn) const {
        const auto has = [](const auto& all, auto one) {
            return all.empty() || std::ranges::binary_search(all, one);
        };
        return is_odd_pair_[turn.k] && has(found_.groups, std::size_t{turn.group}) &&
               has(found_.positions, turn.position);
    }
    auto counting() const {
        return [this](const SlowTurns::Turn& turn) { return counts(turn); };
    }

    // The most that any of the odd pairs allows.
    SlowPair laxest() const {
        SlowPair all = turns_.pairs().front();
        all.tolerance = 0;
        for (std::size_t k = 0; k < is_odd_pair_.size(); ++k)
            if (is_odd_pair_[k])
                all.tolerance = std::max(all.tolerance, turns_.pairs()[k].tolerance);
        return all;
    }

    void find_groups(const TurnRates& rates) {
        std::map<std::size_t, RateSum> sums;
        for (std::size_t k = 0; k < is_odd_pair_.size(); ++k)
            for (std::size_t g = 0; is_odd_pair_[k] && g < rates.of[k].size(); ++g)
                sums[g].add(rates.of[k][g]);
        found_.groups = odd_ones(sums, laxest());
    }

    // Of several axes a position is not a row.
    void find_positions() {
        const auto is_on_other = [](const SlowPair& pair) { return pair.axis != 0; };
        if (std::ranges::any_of(turns_.pairs(), is_on_other)) return;
        std::map<double, RateSum> sums;
        turns_.for_each([&](const SlowTurns::Turn& turn) {
            if (counts(turn)) add_turn(sums[turn.position], turns_, turn);
        });
        found_.positions = odd_ones(sums, laxest());
    }

    // Over the Spec's, off by at most so much.
    struct Rate {
        double value = 1, error = 0;
    };
    struct RatedTurn {
        Turning turning;
        double rate;
    };

    // Least squares again about what it gave, since slow pairs may turn far by another rate; of
    // each pair, or one of all.
    std::vector<Rate> fitted_rates(bool common) const {
        std::vector<double> rate(is_odd_pair_.size(), 1);
        std::vector<Rate> fitted(rate.size());
        for (int step = 0; step < 3; ++step) {
            const TurnRates rates = turn_rates(turns_, counting(), rate);
            RateSum all;
            for (const RateSum& sum : rates.of_pair) all.add(sum);
            for (std::size_t k = 0; k < rate.size(); ++k) {
                const RateSum& sum = common ? all : rates.of_pair[k];
                if (sum.lanes() == 0) continue;
                fitted[k] = {rate[k] * (1 + sum.deviation()), std::abs(rate[k]) * sum.allowed()};
                rate[k] = fitted[k].value;
            }
        }
        return fitted;
    }

    // What each pair does, of all that would explain every lane the first.
    std::vector<RatedTurn> turnings(const std::vector<Rate>& own,
                                    const std::vector<Rate>& common) const {
        using enum Turning;
        constexpr std::size_t ways = 4;
        const auto rates_of = [&](std::size_t k) {
            return std::array<Rate, ways>{{{0, 0}, {-1, 0}, common[k], own[k]}};
        };
        std::vector<std::array<bool, ways>> explains(own.size(), {true, true, true, true});
        turns_.for_each([&](const SlowTurns::Turn& turn) {
            if (!counts(turn)) return;
            const auto rates = rates_of(turn.k);
            for (std::size_t r = 0; r < ways; ++r)
                if (explains[turn.k][r]) explains[turn.k][r] = is_within(turn, rates[r]);
        });
        constexpr std::array each{still, backwards, at_another_rate, at_another_rate, at_no_rate};
        std::vector<RatedTurn> all;
        for (std::size_t k = 0; k < own.size(); ++k) {
            const auto r = static_cast<std::size_t>(std::ranges::find(explains[k], true) -
                                                    explains[k].begin());
            all.push_back({each[r], r < ways ? rates_of(k)[r].value : own[k].value});
        }
        return all;
    }

    bool is_within(const SlowTurns::Turn& turn, const Rate& rate) const {
        const SmallTurn small(rate.value * turn.angle, turns_.formats());
        SmallTurn::Turned want = small.of(turn.x1, turn.x2);
        small.add_errors(want, turn.x1, turn.x2, turns_.moved(turn.x1), turns_.moved(turn.x2));
        const double moved = turns_.pairs()[turn.k].tolerance * std::abs(rate.value) + rate.error;
        const auto is_near = [&](double y, const TurnedLane& lane, double other) {
            return std::abs(y - lane.value) <= lane.error + moved * std::abs(turn.angle * other);
        };
        return is_near(turn.y1, want.first, want.second.value) &&
               is_near(turn.y2, want.second, want.first.value);
    }

    void add(std::size_t k, const RatedTurn& turn) {
        auto same = std::ranges::find(found_.turns, turn.turning, &OddTurn::turning);
        if (same == found_.turns.end())
            same = found_.turns.insert(same, {{}, turn.turning, turn.rate, turn.rate});
        same->pairs.push_back(turns_.pairs()[k].pair);
        same->least_rate = std::min(same->least_rate, turn.rate);
        same->most_rate = std::max(same->most_rate, turn.rate);
    }

    const SlowTurns& turns_;
    std::vector<bool> is_odd_pair_;
    OddTurns found_;
};

}  // namespace

std::vector<std::uint32_t> untold_pairs(const SlowTurns& turns, const TurnRates& rates) {
    std::vector<std::uint32_t> pairs;
    for (std::size_t k = 0; k < turns.pairs().size(); ++k)
        if (rates.of_pair[k].lanes() == 0) pairs.push_back(turns.pairs()[k].pair);
    return pairs;
}

OddTurns odd_turns(const SlowTurns& turns, const TurnRates& rates) {
    OddTurns odd = OddTurnSearch(turns, rates).found();
    odd.untold = untold_pairs(turns, rates);
    return odd;
}

}  // namespace rope
