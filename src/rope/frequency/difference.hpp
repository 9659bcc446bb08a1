// What sets two Specs apart, pair by pair.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

// Two numbers of the same meaning; `relative` is |a − b|/max(|a|, |b|), 0 where both are 0.
struct Contrast {
    double a = 0, b = 0;
    double relative = 0;
};

// m·|θ_a − θ_b|: how far apart the two turn the same pair at position m.
struct AngleDifference {
    std::uint64_t position;
    double worst;              // radians, whole turns included
    std::uint32_t pair;        // where
    std::uint32_t pairs_lost;  // off by a quarter turn or more: there the score has no meaning left
};

struct Difference {
    Spec a, b;
    std::vector<Contrast> inv_freq;  // of the pairs that both have
    std::uint32_t worst_pair = 0;    // the first with the largest relative difference
    Contrast attention_factor;
    Contrast softmax_scale_factor;
    std::vector<AngleDifference> angles;  // at the given positions, in their order

    const Contrast& worst() const { return inv_freq[worst_pair]; }
};

// Two units in the last place of a float32: what is closer turns the same, since a float32 is what
// inv_freq is kept in (GGUF keeps the factors of llama3 and longrope so).
inline constexpr double same_in_float32 = 0x1p-22;

// inv_freq is compared at exact_precision. Requires both valid.
Difference difference(const Spec& a, const Spec& b, std::span<const std::uint64_t> positions);

// The names of what turns a vector differently: head_dim, rotary_dim, rotary_offset, layout,
// direction, axes, inv_freq and attention_factor, the last two beyond a relative `tolerance`.
// Empty: both ask for the same rotation. softmax_scale_factor turns nothing.
std::vector<std::string> differing(const Difference& difference,
                                   double tolerance = same_in_float32);

}  // namespace rope
