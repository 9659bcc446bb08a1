// The frequencies of a Spec, exact or as a framework rounds them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

struct PlannedFrequency {
    BigReal inv_freq;  // radians per position
    // inv_freq/2π where that is rational, so that a full turn comes back to exactly 0
    std::optional<RationalTurn> turn;
    // How far scaling amplifies a relative error of base^(-2i/d) in this pair's inv_freq:
    // |d ln inv_freq / d ln θ|, 1 unless the type blends (llama3's ramp).
    double conditioning = 1;
    // What a blend adds to that in float32 arithmetic, in units of 2^-24.
    double blend_error = 0;
};

inline TurnRate turn_rate(const PlannedFrequency& frequency) {
    return turn_rate(frequency.inv_freq, frequency.turn);
}
std::vector<TurnRate> turn_rates(std::span<const PlannedFrequency> pairs);

struct FrequencyPlan {
    std::vector<PlannedFrequency> pairs;  // rotary_dim/2 of them
    double attention_factor = 1;          // multiplies cos and sin; amplitude, rounded
    double softmax_scale_factor = 1;      // also multiplies the scores (DeepSeek's yarn)
    BigReal amplitude{1, Precision{53}};  // the real number, so that tables are rounded once

    void set_amplitude(BigReal value) {
        attention_factor = value.to_double();
        amplitude = std::move(value);
    }
};

// θ_i = 1 / base^(2i/d) for i = 0 … d/2 − 1, rounded step by step as
// transformers' `1.0 / (base ** (arange(0, dim, 2) / dim))`.
std::vector<PlannedFrequency> base_frequencies(const Spec& spec, Precision precision);

// base^(2i/d) of each pair, its i and d those of frequency_steps: each step rounded up to 53 bits,
// beyond to within 4 units in the last place.
std::vector<BigReal> base_powers(const BigReal& base, const Spec& spec);

// What is known in Python's double or better before the vector arithmetic starts.
Precision scalar_precision(Precision precision);

}  // namespace rope
