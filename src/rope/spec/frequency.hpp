// The frequencies of a Spec, exact or as a framework rounds them.
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

// A key of the rope section as a rope_type uses it.

using KeyDefault = std::variant<std::monostate, double, bool>;

struct UsedKey {
    ScalingMember member;
    bool is_required;
    KeyDefault otherwise;  // what counts where the key is absent, if that is a value
};

constexpr UsedKey required_key(ScalingMember member) { return {member, true, {}}; }
constexpr UsedKey optional_key(ScalingMember member, KeyDefault otherwise = {}) {
    return {member, false, otherwise};
}

// Throws InputError for the first key that is missing or out of its range; a list has one value a
// pair.
void check_keys(const Spec& spec, std::span<const UsedKey> keys);

// Null where the key is not used.
const UsedKey* find_key(std::span<const UsedKey> keys, ScalingMember member);

// The key's own value, or what counts instead.
template <typename T>
T value_or_default(const Scaling& scaling, std::span<const UsedKey> keys,
                   std::optional<T> Scaling::* member) {
    return scaling.*member ? *(scaling.*member) : std::get<T>(find_key(keys, member)->otherwise);
}

// "32", "true"; empty where there is none.
std::string default_text(const UsedKey& key);

// Every rope_type; each is defined in the file of its name.

// One rope_type and the keys of the rope section that it uses, in the order in which they are
// checked. `validate` throws InputError for what no single key's range says, and is null where
// that is all; `plan` may assume that the Spec is right.
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

// Spec -> inv_freq: one formula per rope_type, exact or as a framework rounds it.

// The explicit table of every rope_type.
std::span<const Variant> variants();
// Throws InputError naming the known types when rope_type is unknown.
const Variant& find_variant(std::string_view rope_type);

// Whether the rope_type uses this key; no key is used by a type that is not known.
bool uses(std::string_view rope_type, ScalingMember key);

// Throws InputError naming the first field that is out of range, its value and the range.
void validate(const Spec& spec);
// Whether that throws nothing.
bool is_sound(const Spec& spec);

// Requires validate(spec). At exact_precision this is the truth; at float32_precision it is a
// framework's vector arithmetic, every step correctly rounded.
FrequencyPlan plan_frequencies(const Spec& spec, Precision precision);

// Rope types with two tables: one for short sequences, another once a sequence is longer. longrope
// switches beyond original_max_position_embeddings, dynamic beyond max_position_embeddings.

// The longest sequence of the short table; empty where there is one table, or seq_len picks it.
std::optional<std::uint64_t> short_length(const Spec& spec);

// With the table of a sequence of that length, if the Spec has two and names none.
Spec with_table_of(Spec spec, std::uint64_t length);

}  // namespace rope
