// How often the readings of (c3) hold for vectors drawn at random.
#pragma once

#include <cstdint>

#include "rope/spec/frequency.hpp"

namespace rope::ledger {

// Of all draws, the shares for which these go one way at every step from distance 0 on.
struct Shares {
    double falling;          // r̂ falls
    double modulus_falling;  // |r̂| falls
    double growing_apart;    // |r̂ − r| grows
};

// q and k of independent normal entries (SplitMix64, seed 1), at distances 0, step, … last.
Shares monotone_shares(const FrequencyPlan& plan, std::uint64_t draws, std::uint64_t last,
                       std::uint64_t step);

}  // namespace rope::ledger
