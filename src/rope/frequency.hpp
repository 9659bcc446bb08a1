// Spec -> inv_freq: one formula per rope_type, exact or as a framework rounds it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "rope/big_real.hpp"
#include "rope/spec.hpp"

namespace rope {

// numerator/denominator of a turn per position, in lowest terms.
struct RationalTurn {
    std::uint64_t numerator;
    std::uint64_t denominator;
};

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

struct FrequencyPlan {
    std::vector<PlannedFrequency> pairs;  // rotary_dim/2 of them
    double attention_factor = 1;          // multiplies cos and sin
    double softmax_scale_factor = 1;      // multiplies the scores besides (DeepSeek's yarn)
};

// One rope_type and the keys of the rope section that it uses. `validate` throws InputError for its
// own keys; `plan` may assume they are right.
struct Variant {
    std::string_view name;
    std::span<const std::string_view> keys;
    void (*validate)(const Spec& spec);
    FrequencyPlan (*plan)(const Spec& spec, Precision precision);
};

// The explicit table of every rope_type.
std::span<const Variant> variants();
// Throws InputError naming the known types when there is no such rope_type.
const Variant& find_variant(std::string_view rope_type);

// Requires validate(spec). At exact_precision this is the truth; at float32_precision it is a
// framework's vector arithmetic, every step correctly rounded.
FrequencyPlan plan_frequencies(const Spec& spec, Precision precision);

// θ_i = 1 / base^(2i/d) for i = 0 … d/2 − 1, rounded step by step as
// transformers' `1.0 / (base ** (arange(0, dim, 2) / dim))`.
std::vector<PlannedFrequency> base_frequencies(const Spec& spec, Precision precision);

// base^(2i/d) for i = 0 … d/2 − 1, each step rounded; at exact_precision to within 2^-318. Where
// the axes start over, d is rotary_dim over their number, and the powers are repeated.
std::vector<BigReal> base_powers(const BigReal& base, const Spec& spec);

// What is known in Python's double or better before the vector arithmetic starts.
Precision scalar_precision(Precision precision);

}  // namespace rope
