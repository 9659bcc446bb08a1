// What a model's config asks of its rotary position embedding.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "rope/spec/axis.hpp"

namespace rope {

// Which two lanes of a head form pair i (rotary_dim = d):
//   half_split                 (i, i + d/2)   GPT-NeoX, Hugging Face Llama
//   interleaved                (2i, 2i + 1)   GPT-J, Meta's Llama, GLM-4
//   interleaved_to_half_split  read from (2i, 2i + 1), written to (i, i + d/2)
//                              transformers' DeepSeek-V3 (apply_rotary_pos_emb_interleave)
enum class PairLayout { half_split, interleaved, interleaved_to_half_split };

std::string_view to_string(PairLayout layout);
// Also accepts half, and interleaved_to_half, and - for _. Throws InputError on anything else.
PairLayout parse_pair_layout(std::string_view text);

// Pair (x1, x2) at position m is turned by m·θ, or by −m·θ: y1 = x1·cos + x2·sin, as in nanochat.
// Scores are the same; tables of cos and sin are, too.
enum class Direction { forward, reverse };

std::string_view to_string(Direction direction);
// Throws InputError on anything but forward and reverse.
Direction parse_direction(std::string_view text);

// The keys of a config's rope section, by their own names; absent keys stay empty.
struct Scaling {
    std::string rope_type = "default";  // a row of variants() in frequency.hpp
    std::optional<double> factor = {};
    std::optional<double> low_freq_factor = {};
    std::optional<double> high_freq_factor = {};
    std::optional<std::uint64_t> original_max_position_embeddings = {};
    std::optional<double> beta_fast = {};
    std::optional<double> beta_slow = {};
    std::optional<double> ext_factor = {};
    std::optional<bool> truncate = {};
    std::optional<double> mscale = {};
    std::optional<double> mscale_all_dim = {};
    std::optional<double> attention_factor = {};
    std::vector<double> short_factor = {};  // rotary_dim/2 each
    std::vector<double> long_factor = {};
    // longrope: attention factors of the two lists, as PhiMoE and vLLM have them
    std::optional<double> short_mscale = {};
    std::optional<double> long_mscale = {};
    // Of proportional; elsewhere it is rotary_dim.
    std::optional<double> partial_rotary_factor = {};
    std::optional<double> mixed_b = {};       // ntk_mixed
    std::vector<double> given_inv_freq = {};  // given: rotary_dim/2

    bool operator==(const Scaling&) const = default;
};

struct Spec {
    std::uint32_t head_dim = 128;
    std::uint32_t rotary_dim = 128;   // lanes that rotate
    std::uint32_t rotary_offset = 0;  // the first of them
    PairLayout layout = PairLayout::half_split;
    Direction direction = Direction::forward;
    std::uint64_t max_position_embeddings = 2048;
    double rope_theta = 10000.0;
    Scaling scaling = {};
    AxisMap axes = {};
    // Whether attention multiplies its scores by the square of mscale_all_dim's factor: DeepSeek's.
    bool mscale_of_scores = true;
    // The length on which dynamic and longrope depend; empty: not known yet.
    std::optional<std::uint64_t> seq_len = {};
    // Whose reading of a config this is (readings.hpp); empty: transformers 5's.
    std::string reading = {};

    std::uint32_t pairs() const { return rotary_dim / 2; }
    bool operator==(const Spec&) const = default;
};

inline constexpr std::uint32_t max_head_dim = 65536;
inline constexpr std::uint64_t max_context = std::uint64_t{1} << 32;

// The optional keys of a rope section, each declared once: configs, flags, reports, metrics and
// messages read this table.

using ScalingMember =
    std::variant<std::optional<double> Scaling::*, std::optional<std::uint64_t> Scaling::*,
                 std::optional<bool> Scaling::*, std::vector<double> Scaling::*>;

// What a key may be; of a list, what each of its numbers may be.
struct ValueRange {
    double least, most;
    std::string_view wanted;  // follows "it must be" in a message
    std::string_view wanted_if_missing;
    bool above_least = false;  // least itself is refused
    bool takes_zero = false;

    bool accepts(double x) const;  // never a NaN
};

struct ScalingField {
    std::string_view name;  // as a config spells it
    std::string_view help;  // {} is replaced by the default
    ScalingMember member;
    const ValueRange& range;
};

// In Scaling's order.
std::span<const ScalingField> scaling_fields();

const ScalingField& field_of(ScalingMember member);
// Null where no key has this name.
const ScalingField* find_field(std::string_view name);
inline std::string_view name_of(ScalingMember member) { return field_of(member).name; }

inline bool is_set(const std::vector<double>& list) { return !list.empty(); }
template <typename T>
bool is_set(const std::optional<T>& value) {
    return value.has_value();
}
bool is_set(const Scaling& scaling, const ScalingField& field);

}  // namespace rope
