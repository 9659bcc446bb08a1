// The scores of two equal tokens at a distance, exactly, and where they turn.
#pragma once

#include <cstdint>
#include <optional>

#include "rope/spec/frequency.hpp"

namespace rope::ledger {

// Base RoPE, and He & Xu's scaled form for n positions, at exact_precision.
FrequencyPlan base_rope(std::uint32_t dim = 128, double base = 1e4);
FrequencyPlan scaled_rope(std::uint32_t dim = 128, double base = 1e4, std::uint64_t n = 2048);

// Σ cos(sθ_i) and Σ sin(sθ_i) over the pairs; s may be any real number.
BigReal cosine_sum(const FrequencyPlan& plan, const BigReal& s);
BigReal sine_sum(const FrequencyPlan& plan, const BigReal& s);

// B̂(s), the mean of cos(sθ_i).
BigReal mean_score(const FrequencyPlan& plan, std::uint64_t s);

// The first s ≤ last with B(s) > B(s − 1).
std::optional<std::uint64_t> first_rise(const FrequencyPlan& plan, std::uint64_t last);

// The least u > 0 with B'(u) = 0: where B stops falling, as a real number.
BigReal first_minimum(const FrequencyPlan& plan);

// The least and the greatest B̂ of first … last.
struct Extremes {
    std::uint64_t least_at, greatest_at;
};
Extremes extremes(const FrequencyPlan& plan, std::uint64_t first, std::uint64_t last);

}  // namespace rope::ledger
