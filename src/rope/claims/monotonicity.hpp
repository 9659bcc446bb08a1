// He & Xu's property (c3), "the further apart, the less alike", in its readings per pair.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "rope/spec/frequency.hpp"

namespace rope {

// What must strictly advance from s − 1 to s in every pair:
//   angle   sθ mod 2π increases                              (R1, their Figures 1 and 2)
//   cosine  cos(sθ) decreases                                (R2, R4)
//   modulus |cos(sθ)| decreases                              (R3)
enum class PairQuantity { angle, cosine, modulus };

struct FirstViolation {
    std::uint64_t distance;  // the first s that does not advance
    std::uint32_t pair;
};

// The smallest violating s ≤ last over all pairs, by search in exact integer phases. Ties: lowest
// pair.
std::optional<FirstViolation> first_violation(std::span<const TurnRate> rates,
                                              PairQuantity quantity, std::uint64_t last);
std::optional<FirstViolation> first_violation(const FrequencyPlan& plan, PairQuantity quantity,
                                              std::uint64_t last);

}  // namespace rope
