// vLLM, vllm/model_executor/layers/rotary_embedding, by version.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "rope/readings/rules.hpp"
#include "rope/spec/yarn.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 8> vllm_types{
    "default", "linear", "dynamic", "ntk", "yarn", "longrope", "llama3", "proportional"};

// su beside longrope, and mrope beside default, alone may differ.
bool one_type(Spec&, const ConfigFacts& facts) {
    const std::string &own = facts.rope_type, &older = facts.older_type;
    const bool is_same = own == older || (older == "su" && own == "longrope") ||
                         (older == "mrope" && own == "default");
    if (!is_same)
        throw InputError("rope_type", printable(own) + " beside type " + printable(older),
                         "one of them for vLLM, which stops at two");
    return false;
}

// The base is the one of factor·max_position_embeddings positions.
bool static_dynamic(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "dynamic")) return false;
    const double longest =
        std::ceil(static_cast<double>(spec.max_position_embeddings) * *spec.scaling.factor);
    return change(spec.seq_len, static_cast<std::uint64_t>(std::min(longest, 0x1p32)));
}

bool mixed_ntk(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "ntk") || facts.has_alpha) return false;
    spec.scaling.rope_type = "ntk_mixed";
    spec.scaling.mixed_b = facts.mixed_b;
    return true;
}

bool list_mscales(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "longrope")) return false;
    const bool own = facts.short_mscale && change(spec.scaling.short_mscale, facts.short_mscale);
    return (facts.long_mscale && change(spec.scaling.long_mscale, facts.long_mscale)) || own;
}

bool deepseek_magnitude(Spec& spec, const ConfigFacts& facts) {
    if (!is_deepseek(facts)) return false;
    const bool dropped = drop_attention_factor(spec, facts);
    return default_each_mscale(spec, facts) || dropped;
}

bool deepseek_truncates(Spec& spec, const ConfigFacts& facts) {
    return is_deepseek(facts) && always_truncate(spec, facts);
}

// What is left is getms(s, 1), of TeleChat3 0.07·ln(s) + 1, multiplied by attn_factor.
bool magnitude_of_the_factor(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "yarn") || is_deepseek(facts)) return false;
    const bool had_factor = drop_attention_factor(spec, facts);
    const bool changed = drop_mscale_ratio(spec, facts) || had_factor;
    const double factor = facts.attn_factor.value_or(1), m = facts.is_telechat3_yarn ? 0.7 : 1;
    if (factor == 1 && m == 1) return changed;
    const BigReal magnitude = yarn_magnitude(*spec.scaling.factor, m) * factor;
    return change(spec.scaling.attention_factor, magnitude.to_double()) || changed;
}

bool mrope_magnitude(Spec& spec, const ConfigFacts& facts) {
    return spec.axes.scheme != AxisScheme::single && magnitude_of_the_factor(spec, facts);
}

// MiMoV2FlashDecoderLayer: getattr(config, "rope_theta", 1000000), …
bool vllm_mimo_bases(Spec& spec, const ConfigFacts& facts) {
    return mimo_of_the_top(spec, facts, 1000000);
}

// __init__.py, get_rope: rope_parameters.get("mrope_interleaved", False)
bool interleaved_where_said(Spec& spec, const ConfigFacts& facts) {
    return !facts.model_type.empty() && !facts.mrope_interleaved &&
           spec.axes.scheme == AxisScheme::interleaved &&
           change(spec.axes.scheme, AxisScheme::sectioned);
}

constexpr std::string_view ernie_keys[] = {"freq_allocation"};

// [h, w, t], h and w half of what time leaves of the head
bool ernie_sections(Spec& spec, const ConfigFacts& facts) {
    if (!facts.model_type.starts_with("ernie4_5") ||
        spec.axes.scheme != AxisScheme::height_width_time)
        return false;
    const auto time = static_cast<std::uint32_t>(facts.freq_allocation.value_or(20));
    if (time > spec.head_dim / 2)
        throw InputError("freq_allocation", decimal(time), "at most head_dim / 2");
    const std::uint32_t each = (spec.head_dim / 2 - time) / 2;
    return change(spec.axes.sections, std::vector<std::uint32_t>{each, each, time});
}

constexpr std::array<ReadingRule, 12> of_every_version{{
    {.what = "rope_type beside another type is refused, but longrope beside su and default beside "
             "mrope",
     .source = "transformers_utils/config.py, patch_rope_parameters_dict",
     .apply = one_type,
     .chooses_type = true},
    {"dynamic: one base at every length, that of factor·max_position_embeddings positions",
     "dynamic_ntk_scaling_rope.py, DynamicNTKScalingRotaryEmbedding (vllm-project/vllm#5093)",
     static_dynamic},
    {"ntk: every pair is scaled, the first, too: θ_i/factor^(((i + 1)/(d/2))^mixed_b), mixed_b 1",
     "ntk_scaling_rope.py, NTKScalingRotaryEmbedding", mixed_ntk},
    {"longrope: short_mscale and long_mscale, where given, are the attention factors of their "
     "lists",
     "__init__.py, get_rope; phi3_long_rope_scaled_rope.py, Phi3LongRoPEScaledRotaryEmbedding",
     list_mscales},
    {"longrope: long_factor at every length if max_model_len, here max_position_embeddings, is "
     "beyond the original one",
     "phi3_long_rope_scaled_rope.py, Phi3LongRoPEScaledRotaryEmbedding", longrope_by_engine},
    {"longrope: factor and attention_factor are not read; s is the ratio of the two lengths",
     "phi3_long_rope_scaled_rope.py, Phi3LongRoPEScaledRotaryEmbedding", longrope_by_ratio},
    {"proportional: factor is not read", "gemma4_rope.py, Gemma4RotaryEmbedding",
     drop_factor_of_proportional},
    {"yarn: DeepSeek's: mscale is 1 and mscale_all_dim 0 where absent; attention_factor is not "
     "read",
     "deepseek_scaling_rope.py, DeepseekScalingRotaryEmbedding", deepseek_magnitude},
    {"yarn: DeepSeek's: the ramp's ends are rounded, whatever truncate says",
     "deepseek_scaling_rope.py, DeepseekScalingRotaryEmbedding", deepseek_truncates},
    {"MiMo-V2: rope_theta, 1000000 where absent, swa_rope_theta and partial_rotary_factor of the "
     "top level, and hybrid_layer_pattern, not rope_parameters and layer_types",
     "models/mimo_v2_flash.py, MiMoV2FlashDecoderLayer",
     vllm_mimo_bases,
     by_hybrid_pattern,
     {mimo_v2, mimo_keys}},
    {"M-RoPE is interleaved only where mrope_interleaved says so, whatever the class does",
     "__init__.py, get_rope", interleaved_where_said},
    {"ERNIE-4.5-VL: freq_allocation, 20 where absent, not mrope_section",
     "models/ernie45_vl_moe.py, Ernie4_5_VLMoeAttention",
     ernie_sections,
     nullptr,
     {"ernie4_5_vl_moe_text", ernie_keys}},
}};

// Those of every version, then a version's own.
template <class... Own>
constexpr auto and_own(const Own&... own) {
    std::array<ReadingRule, of_every_version.size() + sizeof...(own)> all{};
    std::size_t count = 0;
    for (const ReadingRule& rule : of_every_version) all[count++] = rule;
    ((all[count++] = own), ...);
    return all;
}

constexpr auto vllm_rules = and_own(
    ReadingRule{"yarn with M-RoPE: attention_factor, mscale and mscale_all_dim are not read",
                "mrope.py, MRotaryEmbedding", mrope_magnitude});

constexpr auto rules_025 = and_own(
    ReadingRule{"yarn: attention_factor, mscale and mscale_all_dim are not read; attn_factor is",
                "__init__.py, get_rope (vllm-project/vllm#48351, #48621)", magnitude_of_the_factor},
    ReadingRule{"yarn: extrapolation_factor is read", "__init__.py, get_rope",
                read_extrapolation_factor});

}  // namespace

const Reading vllm_reading{"vllm", "vLLM after 0.25", vllm_types, vllm_rules};
const Reading vllm_025_reading{"vllm-0.25", "vLLM 0.25.0", vllm_types, rules_025};

}  // namespace rope
