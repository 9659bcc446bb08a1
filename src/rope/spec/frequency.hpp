// Frequencies of a Spec, exact or rounded as a framework rounds them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/exact/phase.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
struct PlannedFrequency {
    BigReal inv_freq;  // radians per position
    // inv_freq/2π if rational, so that the phase after a full turn is exactly 0
    std::optional<RationalTurn> turn;
    // Factor |d ln inv_freq / d ln θ| by which scaling amplifies a relative error of θ =
    // base^(-2i/d); 1 except for types that blend two frequencies (llama3's ramp).
    double conditioning = 1;
    // Additional relative error of a blend in float32 arithmetic, in units of 2^-24.
    double blend_error = 0;
};

inline TurnRate turn_rate(const PlannedFrequency& frequency) {
    return turn_rate(frequency.inv_freq, frequency.turn);
}
std::vector<TurnRate> turn_rates(std::span<const PlannedFrequency> pairs);

struct FrequencyPlan {
    std::vector<PlannedFrequency> pairs;  // [rotary_dim/2]
    double attention_factor = 1;          // multiplies cos and sin; `amplitude` rounded to double
    double softmax_scale_factor = 1;      // multiplies the scores, in addition (DeepSeek's yarn)
    BigReal amplitude{1, Precision{53}};  // exact attention factor, so that tables round only once

    std::vector<double> inv_freq() const;  // of the pairs, rounded to doubles
    void set_amplitude(BigReal value) {
        attention_factor = value.to_double();
        amplitude = std::move(value);
    }
};

// Returns θ_i = 1 / base^(2i/d), i = 0 … d/2 − 1, rounded step by step as in transformers' `1.0 /
// (base ** (arange(0, dim, 2) / dim))`.
std::vector<PlannedFrequency> base_frequencies(const Spec& spec, Precision precision);

// Returns base^(2i/d) for each pair, with i and d from frequency_steps(). Each step is rounded at
// up to 53 bits; at higher precision the error is below 4 units in the last place.
std::vector<BigReal> base_powers(const BigReal& base, const Spec& spec);

// Returns the precision of scalars, which Python computes in double or better.
Precision scalar_precision(Precision precision);

// Keys of the rope section as a rope_type uses them.

using KeyDefault = std::variant<std::monostate, double, bool>;

struct UsedKey {
    ScalingMember member;
    bool is_required;
    KeyDefault otherwise;  // value if the key is absent; monostate if it has none
};

constexpr UsedKey required_key(ScalingMember member) { return {member, true, {}}; }
constexpr UsedKey optional_key(ScalingMember member, KeyDefault otherwise = {}) {
    return {member, false, otherwise};
}

// Returns nullptr if the key is not used.
const UsedKey* find_key(std::span<const UsedKey> keys, ScalingMember member);

// Returns the config's value of the key, or the default.
template <typename T>
T value_or_default(const Scaling& scaling, std::span<const UsedKey> keys,
                   std::optional<T> Scaling::* member) {
    return scaling.*member ? *(scaling.*member) : std::get<T>(find_key(keys, member)->otherwise);
}

// Returns the default as text, such as "32" or "true"; empty if there is none.
std::string default_text(const UsedKey& key);

// A rope_type and the keys it uses, in the order in which they are checked. `validate` throws
// InputError for conditions beyond the range of a single key; it may be null. `plan` requires a
// valid Spec.
struct Variant {
    std::string_view name;
    std::span<const UsedKey> keys;
    void (*validate)(const Spec& spec);
    FrequencyPlan (*plan)(const Spec& spec, Precision precision);
};

extern const Variant default_variant;
extern const Variant linear_variant;
extern const Variant dynamic_variant;
extern const Variant ntk_variant;
extern const Variant ntk_mixed_variant;
extern const Variant yarn_variant;
extern const Variant yarn_paper_variant;
extern const Variant longrope_variant;
extern const Variant llama3_variant;
extern const Variant proportional_variant;
extern const Variant he_xu_variant;
extern const Variant resonance_variant;
extern const Variant qwen_ntk_variant;
extern const Variant given_variant;

// Returns the table of all rope_types.
std::span<const Variant> variants();
// Throws InputError with the known types if rope_type is unknown.
const Variant& find_variant(std::string_view rope_type);

// Returns whether the rope_type uses this key; false for an unknown type.
bool uses(std::string_view rope_type, ScalingMember key);

// Throws InputError with the first field that is out of range, its value and the range.
void validate(const Spec& spec);
// Returns whether validate(spec) succeeds.
bool is_sound(const Spec& spec);

// Returns the frequencies of a valid Spec: exact at exact_precision; at float32_precision those of
// a framework's vector arithmetic with every step correctly rounded.
FrequencyPlan plan_frequencies(const Spec& spec, Precision precision);

// Some rope types have a second table for longer sequences: longrope beyond
// original_max_position_embeddings, dynamic and qwen_ntk beyond max_position_embeddings.

// Returns the longest sequence of the first table; empty if there is one table or seq_len is set.
std::optional<std::uint64_t> short_length(const Spec& spec);

// Returns the Spec with seq_len = length if it has two tables and no seq_len.
Spec with_table_of(Spec spec, std::uint64_t length);

// NTK by parts: the forms of YaRN, and Llama 3.1's scaling.

// Defaults of beta_fast and beta_slow, the ends of YaRN's ramp in turns:

// transformers modeling_rope_utils.py, _compute_yarn_parameters; llama.cpp's llama_hparams
inline constexpr double yarn_beta_fast = 32, yarn_beta_slow = 1;

// Returns YaRN's attention factor m·ln(s)/10 + 1, or 1 if s ≤ 1, at exact_precision (transformers
// modeling_rope_utils.py, get_mscale).
BigReal yarn_magnitude(double s, double m);

// Ends of YaRN's ramp over the pair index: up to pair `low` θ is kept, from pair `high` on it is
// divided by the factor. If high < low, the other way round.
struct YarnRamp {
    BigReal low, high;
};

// Returns the ramp of a valid yarn as transformers does: rounded outwards, clamped to [0, d − 1],
// and with equal ends separated.
YarnRamp yarn_ramp(const Spec& spec, Precision scalar);

}  // namespace rope
