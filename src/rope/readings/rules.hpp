// Changes of a Spec that several libraries' rules share, and every library's rules.
#pragma once

#include <array>
#include <string_view>

#include "rope/readings/readings.hpp"
#include "rope/spec/spec.hpp"

namespace rope {

bool is_type(const Spec& spec, std::string_view rope_type);

// Assigns, and returns whether that changed anything.
template <typename T, typename U>
bool change(T& field, const U& value) {
    if (field == T(value)) return false;
    field = value;
    return true;
}

// Of rope_type and type, type counts.
bool by_older_type(Spec& spec, const ConfigFacts& facts);

// yarn: the ramp's ends are rounded, whatever truncate says.
bool always_truncate(Spec& spec, const ConfigFacts& facts);

// yarn: attention_factor, or the pair of mscale and mscale_all_dim, has no effect on cos and sin.
bool drop_attention_factor(Spec& spec, const ConfigFacts& facts);
bool drop_mscale_ratio(Spec& spec, const ConfigFacts& facts);

// yarn: getms(s, mscale)/getms(s, mscale_all_dim) with the defaults 1 and 0 for either, as
// DeepSeek's own code has it.
bool default_each_mscale(Spec& spec, const ConfigFacts& facts);

// longrope: s is max_position_embeddings/original, whatever factor and attention_factor say.
bool longrope_by_ratio(Spec& spec, const ConfigFacts& facts);

// longrope: one list at every length, long_factor where max_position_embeddings, the longest
// sequence that the engine is started for, is beyond original_max_position_embeddings.
bool longrope_by_engine(Spec& spec, const ConfigFacts& facts);

// longrope: short_mscale and long_mscale have no effect.
bool drop_list_mscales(Spec& spec, const ConfigFacts& facts);

// dynamic: unscaled at every length.
bool dynamic_unscaled(Spec& spec, const ConfigFacts& facts);

bool drop_factor_of_proportional(Spec& spec, const ConfigFacts& facts);

// yarn: extrapolation_factor is ext_factor.
bool read_extrapolation_factor(Spec& spec, const ConfigFacts& facts);

bool change_original(Spec& spec, const std::optional<std::uint64_t>& length,
                     std::uint64_t otherwise);

bool is_deepseek(const ConfigFacts& facts);

// Llama 4 and SmolLM3: all but every fourth, as those that are released have it.
std::optional<LayerNumbers> but_every_fourth(const ConfigFacts& facts);

inline constexpr std::string_view mimo_v2 = "mimo_v2_flash";
inline const std::array<std::string_view, 4> mimo_keys{"rope_theta", "swa_rope_theta",
                                                       name_of(&Scaling::partial_rotary_factor),
                                                       "hybrid_layer_pattern"};

// MiMo-V2: the top level's base, swa_rope_theta in layers that slide, and its
// partial_rotary_factor; `theta` and 1 where they are absent.
bool mimo_of_the_top(Spec& spec, const ConfigFacts& facts, double theta);
// MiMo-V2: layers slide where hybrid_layer_pattern is 1.
std::optional<LayerNumbers> by_hybrid_pattern(const ConfigFacts& facts);
bool is_mimo_v2(const ConfigFacts& facts);
// Throws InputError.
void refuse_mimo_v2(const ConfigFacts& facts, std::string_view library);

extern const Reading transformers_reading;
extern const Reading transformers_457_reading;
extern const Reading transformers_445_reading;
extern const Reading vllm_reading;
extern const Reading vllm_025_reading;
extern const Reading ggml_reading;
extern const Reading mlx_reading;
extern const Reading tensorrt_llm_reading;
extern const Reading paper_reading;

}  // namespace rope
