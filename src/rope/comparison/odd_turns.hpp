// Slow pairs that do not turn as asked, in words.
#pragma once

#include <string>
#include <vector>

#include "rope/comparison/turn_rates.hpp"

namespace rope {

enum class Turning { still, backwards, at_another_rate, at_no_rate };

// Pairs that turn alike, of the same heads and rows.
struct OddTurn {
    std::vector<std::uint32_t> pairs;
    Turning turning = Turning::at_no_rate;
    double least_rate = 0, most_rate = 0;  // over the Spec's
};

struct OddTurns {
    std::vector<OddTurn> turns;         // by their first pair
    std::vector<std::size_t> groups;    // heads or batch entries, where others turn as asked
    std::vector<double> positions;      // likewise
    std::vector<std::uint32_t> untold;  // pairs that no value tells
};

// Slow pairs whose rate no lane tells.
std::vector<std::uint32_t> untold_pairs(const SlowTurns& turns, const TurnRates& rates);

// Of pairs that is_odd() finds in `rates`, in all groups together or in one.
OddTurns odd_turns(const SlowTurns& turns, const TurnRates& rates);

// "no value tells whether pairs 61, 63 of 64 turn"
std::string untold_in_words(const std::vector<std::uint32_t>& pairs, const Spec& spec);

// "head 1: pairs 40–63 of 64 do not rotate, at positions 32–63"
std::string in_words(const OddTurns& odd, const Spec& spec, const RowGrid& grid);

}  // namespace rope
