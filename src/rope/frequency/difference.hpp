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

// Beyond this, two numbers of a config are not the same number: some steps in Python's double.
inline constexpr double same_number = 1e-12;

// inv_freq is compared at exact_precision. Requires both valid.
Difference difference(const Spec& a, const Spec& b, std::span<const std::uint64_t> positions);

// The names of what differs beyond same_number, of: head_dim, rotary_dim, layout, axes, inv_freq,
// attention_factor, softmax_scale_factor. Empty: both ask for the same rotation.
std::vector<std::string> differing(const Difference& difference);

}  // namespace rope
