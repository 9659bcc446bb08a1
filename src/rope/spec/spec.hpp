// The rotary position embedding that a model's config describes.
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

// The two dimensions of a head that form pair i (d = rotary_dim):
//   half_split                 (i, i + d/2)   GPT-NeoX, Hugging Face Llama
//   interleaved                (2i, 2i + 1)   GPT-J, Meta's Llama, GLM-4
//   interleaved_to_half_split  read from (2i, 2i + 1), written to (i, i + d/2)
//                              transformers' DeepSeek-V3 (apply_rotary_pos_emb_interleave)
enum class PairLayout { half_split, interleaved, interleaved_to_half_split };

std::string_view to_string(PairLayout layout);
// Also accepts half, interleaved_to_half, the names neox and gptj, and - for _. Throws InputError
// for other text.
PairLayout parse_pair_layout(std::string_view text);

// Rotation of a pair (x1, x2) at position m by m·θ, or for reverse by −m·θ: y1 = x1·cos + x2·sin,
// as in nanochat. Scores and tables of cos and sin are the same for both.
enum class Direction { forward, reverse };

std::string_view to_string(Direction direction);
// Throws InputError unless the text is forward or reverse.
Direction parse_direction(std::string_view text);

// Keys of a config's rope section under the names the config uses; absent keys are empty.
struct Scaling {
    std::string rope_type = "default";  // name of a Variant in frequency.hpp
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
    std::vector<double> short_factor = {};  // [rotary_dim/2], as is long_factor
    std::vector<double> long_factor = {};
    // longrope: attention factors of the two lists, in PhiMoE and vLLM
    std::optional<double> short_mscale = {};
    std::optional<double> long_mscale = {};
    // of rope_type proportional; other types have rotary_dim instead
    std::optional<double> partial_rotary_factor = {};
    std::optional<double> mixed_b = {};       // ntk_mixed
    std::vector<double> given_inv_freq = {};  // given: [rotary_dim/2]

    bool operator==(const Scaling&) const = default;
};

struct Spec {
    std::uint32_t head_dim = 128;
    std::uint32_t rotary_dim = 128;   // number of dimensions that rotate
    std::uint32_t rotary_offset = 0;  // first dimension that rotates
    PairLayout layout = PairLayout::half_split;
    Direction direction = Direction::forward;
    std::uint64_t max_position_embeddings = 2048;
    double rope_theta = 10000.0;
    Scaling scaling = {};
    AxisMap axes = {};
    // Whether scores are multiplied by the squared factor of mscale_all_dim, as DeepSeek does.
    bool mscale_of_scores = true;
    // Sequence length that dynamic and longrope depend on; empty if not known yet.
    std::optional<std::uint64_t> seq_len = {};
    // Library whose reading of the config this is (readings.hpp); empty for transformers 5.
    std::string reading = {};

    std::uint32_t pairs() const { return rotary_dim / 2; }
    bool operator==(const Spec&) const = default;
};

inline constexpr std::uint32_t max_head_dim = 65536;
inline constexpr std::uint64_t max_context = std::uint64_t{1} << 32;

// Optional keys of a rope section, each declared once: configs, options, reports, metrics and
// messages use this table.

using ScalingMember =
    std::variant<std::optional<double> Scaling::*, std::optional<std::uint64_t> Scaling::*,
                 std::optional<bool> Scaling::*, std::vector<double> Scaling::*>;

// Accepted values of a key; for a list, of each of its numbers.
struct ValueRange {
    double least, most;
    std::string_view wanted;  // follows "it must be" in a message
    std::string_view wanted_if_missing;
    bool above_least = false;  // `least` is not accepted
    bool takes_zero = false;

    bool accepts(double x) const;  // false for NaN
};

struct ScalingField {
    std::string_view name;  // as a config spells it
    std::string_view help;  // {} stands for the default
    ScalingMember member;
    const ValueRange& range;
};

// Returns all fields in the order of Scaling.
std::span<const ScalingField> scaling_fields();

const ScalingField& field_of(ScalingMember member);
// Returns nullptr if no key has this name.
const ScalingField* find_field(std::string_view name);
inline std::string_view name_of(ScalingMember member) { return field_of(member).name; }

inline bool is_set(const std::vector<double>& list) { return !list.empty(); }
template <typename T>
bool is_set(const std::optional<T>& value) {
    return value.has_value();
}
bool is_set(const Scaling& scaling, const ScalingField& field);

}  // namespace rope
