// The double at which B(s) changes its sign as the base grows.
#pragma once

#include <cstdint>

#include "rope/cosine_sum/cosine_sum.hpp"

namespace rope {

// Neighbouring doubles, B(s) < 0 at just one of them.
struct SignChange {
    double below, above;
};

// Between two bases, low < high, B(s) < 0 at just one of them. Where there are several, that to
// which halving leads.
SignChange sign_change(PairCounts pairs, std::uint64_t s, double low, double high);

// Whether B(s) < 0.
bool is_negative(PairCounts pairs, std::uint64_t s, double base);

}  // namespace rope
