// transformers, by version. 4.45 and 4.57 read rope_scaling; each rule is what its
// modeling_rope_utils.py does otherwise than 5.15's.
#include <algorithm>
#include <array>
#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "rope/readings/readings.hpp"
#include "rope/spec/yarn.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 6> transformers_types{"default", "linear",   "dynamic",
                                                             "yarn",    "longrope", "llama3"};

bool no_rope_parameters(Spec& spec, const ConfigFacts& facts) {
    if (!facts.in_rope_parameters) return false;
    if (spec.axes.scheme != AxisScheme::single && facts.has_sections)
        throw InputError("mrope_section",
                         "is in rope_parameters, which transformers 4 does not read");
    const Spec before = spec;
    spec.scaling = {};
    spec.seq_len.reset();
    spec.rope_theta = facts.outer_theta.value_or(Spec{}.rope_theta);
    return !(spec == before);
}

// 4.45 and 4.57: LlamaConfig, Qwen2Config and those made after them write type over rope_type.
bool type_of_llama(Spec& spec, const ConfigFacts& facts) {
    return facts.has("type_over_rope_type") && !facts.in_rope_parameters &&
           by_older_type(spec, facts);
}

bool no_theta_in_scaling(Spec& spec, const ConfigFacts& facts) {
    return facts.theta_in_scaling &&
           change(spec.rope_theta, facts.outer_theta.value_or(Spec{}.rope_theta));
}

bool older_base(Spec& spec, const ConfigFacts& facts) {
    return facts.older_theta && change(spec.rope_theta, *facts.older_theta);
}

// The top level's length, else max_position_embeddings; the section's is not read.
bool original_of_the_top(Spec& spec, const ConfigFacts& facts) {
    return is_type(spec, "longrope") &&
           change_original(spec, facts.top_original, spec.max_position_embeddings);
}

// The section's; the top level's is not read.
bool original_of_the_section(Spec& spec, const ConfigFacts& facts) {
    return (is_type(spec, "yarn") || is_type(spec, "llama3")) &&
           change_original(spec, facts.section_original, spec.max_position_embeddings);
}

bool llama3_of_the_section(Spec& spec, const ConfigFacts& facts) {
    return is_type(spec, "llama3") && original_of_the_section(spec, facts);
}

bool ratio_replaces_factor(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "longrope") || !facts.top_original || !spec.scaling.factor) return false;
    spec.scaling.factor.reset();
    return true;
}

bool context_is_the_original(Spec& spec, const ConfigFacts&) {
    return is_type(spec, "yarn") && change_original(spec, {}, spec.max_position_embeddings);
}

// 4.45: long_factor wherever the context is extended, at every length. Phi-3 and PhiMoE have
// separate classes, which choose by length.
bool longrope_once(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "longrope") || facts.has("phi3_longrope")) return false;
    const std::uint64_t original = *spec.scaling.original_max_position_embeddings;
    const double factor = facts.top_original ? static_cast<double>(spec.max_position_embeddings) /
                                                   static_cast<double>(original)
                                             : spec.scaling.factor.value_or(1);
    return change(spec.seq_len, factor > 1 ? original + 1 : original);
}

bool phi3_by_ratio(Spec& spec, const ConfigFacts& facts) {
    return facts.has("phi3_longrope") && longrope_by_ratio(spec, facts);
}

// rope_theta=10000.0 and partial_rotary_factor=1.0 of the checkpoint's MiMoV2FlashConfig;
// getattr(config, "swa_rope_theta", config.rope_theta)
bool transformers_mimo_bases(Spec& spec, const ConfigFacts& facts) {
    return mimo_of_the_top(spec, facts, 10000);
}

bool transformers_no_mimo(Spec&, const ConfigFacts& facts) {
    refuse_mimo_v2(facts, "transformers 4.45.2");
    return false;
}

constexpr ReadingRule rules_457[] = {
    {.what = "Llama, Qwen2, Qwen3: type counts where rope_type says otherwise",
     .source = "configuration_llama.py, configuration_qwen2.py: rope_scaling[\"rope_type\"] is set",
     .apply = type_of_llama,
     .chooses_type = true},
    {"rope_parameters is not read: rope_theta is the top level's, else the class's, and nothing is "
     "scaled",
     "configuration_*.py, rope_theta and rope_scaling (sgl-project/sglang#14745)",
     no_rope_parameters},
    {"rope_theta of rope_scaling is not read: it is the top level's, else the class's",
     "modeling_rope_utils.py, config.rope_theta", no_theta_in_scaling},
    {"without rope_theta in the file, it is what the class had before transformers 5",
     "configuration_*.py, the default of rope_theta", older_base},
    {"longrope: without original_max_position_embeddings at the top level, it is "
     "max_position_embeddings",
     "modeling_rope_utils.py, _compute_longrope_parameters", original_of_the_top},
    {"longrope: the ratio of the two lengths replaces factor",
     "modeling_rope_utils.py, _compute_longrope_parameters", ratio_replaces_factor},
    {"yarn, llama3: original_max_position_embeddings of the top level is not read",
     "modeling_rope_utils.py, _compute_yarn_parameters, _compute_llama3_parameters",
     original_of_the_section},
    {"MiMo-V2, by the checkpoint's own code: rope_theta, 10000 where absent, swa_rope_theta and "
     "partial_rotary_factor of the top level, and hybrid_layer_pattern",
     "modeling_mimo_v2_flash.py, MiMoV2RotaryEmbedding, MiMoV2Model",
     transformers_mimo_bases,
     by_hybrid_pattern,
     {mimo_v2, mimo_keys}},
};

constexpr ReadingRule rules_445[] = {
    {.what = "Llama, Qwen2, Qwen3: type counts where rope_type says otherwise",
     .source = "configuration_llama.py, configuration_qwen2.py: rope_scaling[\"rope_type\"] is set",
     .apply = type_of_llama,
     .chooses_type = true},
    {"rope_parameters is not read: rope_theta is the top level's, else the class's, and nothing is "
     "scaled",
     "configuration_*.py, rope_theta and rope_scaling (sgl-project/sglang#14745)",
     no_rope_parameters},
    {"rope_theta of rope_scaling is not read: it is the top level's, else the class's",
     "modeling_rope_utils.py, config.rope_theta", no_theta_in_scaling},
    {"without rope_theta in the file, it is what the class had before transformers 5",
     "configuration_*.py, the default of rope_theta", older_base},
    {"yarn: original_max_position_embeddings is not read; it is max_position_embeddings",
     "modeling_rope_utils.py, _compute_yarn_parameters", context_is_the_original},
    {"yarn: mscale and mscale_all_dim are not read",
     "modeling_rope_utils.py, _compute_yarn_parameters", drop_mscale_ratio},
    {"yarn: the ramp's ends are rounded, whatever truncate says",
     "modeling_rope_utils.py, _compute_yarn_parameters", always_truncate},
    {"longrope: without original_max_position_embeddings at the top level, it is "
     "max_position_embeddings",
     "modeling_rope_utils.py, _compute_longrope_parameters", original_of_the_top},
    {"longrope: long_factor at every length if the context is extended",
     "modeling_rope_utils.py, _compute_longrope_parameters", longrope_once},
    {"longrope: the ratio of the two lengths replaces factor",
     "modeling_rope_utils.py, _compute_longrope_parameters", ratio_replaces_factor},
    {"longrope: attention_factor is not read",
     "modeling_phi3.py, Phi3LongRoPEScaledRotaryEmbedding", phi3_by_ratio},
    {"llama3: original_max_position_embeddings of the top level is not read",
     "modeling_rope_utils.py, _compute_llama3_parameters", llama3_of_the_section},
    {"MiMo-V2: no such class", "models/auto/configuration_auto.py", transformers_no_mimo},
};

}  // namespace

const Reading transformers_reading{"transformers", "transformers 5.15", {}, {}};
const Reading transformers_457_reading{"transformers-4.57", "transformers 4.57.6",
                                       transformers_types, rules_457};
const Reading transformers_445_reading{"transformers-4.45", "transformers 4.45.2",
                                       transformers_types, rules_445, "transformers_4.45_scales"};

namespace {

// The papers' own formulas, where implementations have others.

// The keys that only implementations have go with their ramp.
bool ramp_over_turns(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "yarn")) return false;
    const Scaling own = spec.scaling;
    spec.scaling = {.rope_type = "yarn_paper",
                    .factor = own.factor,
                    .original_max_position_embeddings = own.original_max_position_embeddings};
    // 0 is the default, as in transformers
    if (own.beta_fast.value_or(0) != 0) spec.scaling.beta_fast = own.beta_fast;
    if (own.beta_slow.value_or(0) != 0) spec.scaling.beta_slow = own.beta_slow;
    return true;
}

bool scale_of_the_length(Spec& spec, const ConfigFacts&) {
    return is_type(spec, "dynamic") && change(spec.scaling.factor, 1.0);
}

constexpr ReadingRule paper_rules[] = {
    {"yarn: the ramp runs over turns in the original length, not over the pair's index; the "
     "attention factor is 0.1·ln factor + 1",
     "arXiv 2309.00071, §3.2, equation 15", ramp_over_turns},
    {"dynamic: s is n/max_position_embeddings; factor is not part of it", "arXiv 2309.00071, §3.3",
     scale_of_the_length},
};

}  // namespace

const Reading paper_reading{"paper", "YaRN's paper", {}, paper_rules};

namespace {

// vLLM, vllm/model_executor/layers/rotary_embedding, by version.

constexpr std::array<std::string_view, 8> vllm_types{
    "default", "linear", "dynamic", "ntk", "yarn", "longrope", "llama3", "proportional"};

// su beside longrope, and mrope beside default, alone may differ.
bool one_type(Spec&, const ConfigFacts& facts) {
    const std::string &own = facts.rope_type, &older = facts.older_type;
    const bool is_same = own == older || (older == "su" && own == "longrope") ||
                         (older == "mrope" && own == "default");
    if (!is_same)
        throw InputError("rope_type", printable(own) + " together with type " + printable(older),
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
    if (!facts.has("attention_factor_of_deepseek")) return false;
    const bool dropped = drop_attention_factor(spec, facts);
    return default_each_mscale(spec, facts) || dropped;
}

bool deepseek_truncates(Spec& spec, const ConfigFacts& facts) {
    return facts.has("attention_factor_of_deepseek") && always_truncate(spec, facts);
}

// What is left is getms(s, 1), of TeleChat3 0.07·ln(s) + 1, multiplied by attn_factor.
bool magnitude_of_the_factor(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "yarn") || facts.has("attention_factor_of_deepseek")) return false;
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

bool fraction_of_every_class(Spec& spec, const ConfigFacts& facts) {
    if (!facts.fraction || spec.rotary_dim != spec.head_dim || is_type(spec, "proportional"))
        return false;
    const auto lanes = static_cast<std::uint32_t>(spec.head_dim * *facts.fraction);
    return lanes >= 2 && change(spec.rotary_dim, lanes);
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
    if (facts.model_type.empty() || spec.axes.scheme != AxisScheme::height_width_time) return false;
    const auto time = static_cast<std::uint32_t>(facts.freq_allocation.value_or(20));
    if (time > spec.head_dim / 2)
        throw InputError("freq_allocation", decimal(time), "at most head_dim / 2");
    const std::uint32_t each = (spec.head_dim / 2 - time) / 2;
    return change(spec.axes.sections, std::vector<std::uint32_t>{each, each, time});
}

constexpr std::array<ReadingRule, 13> of_every_version{{
    {.what =
         "rope_type together with another type is refused, but longrope with su and default with "
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
    {"partial_rotary_factor is read of every class, of those that rotate whole heads, too",
     "__init__.py, get_rope: rotary_dim", fraction_of_every_class},
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
     {"", ernie_keys}},
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

namespace {

// TensorRT-LLM 51ea5c96, tensorrt_llm/_torch/attention_backend/interface.py and functional.py.

constexpr std::array<std::string_view, 6> tensorrt_types{"default", "linear",   "dynamic",
                                                         "yarn",    "longrope", "llama3"};

bool tensorrt_original(Spec& spec, const ConfigFacts& facts) {
    return (is_type(spec, "yarn") || is_type(spec, "llama3") || is_type(spec, "longrope")) &&
           change_original(spec, facts.top_original ? facts.top_original : facts.section_original,
                           1024);
}

bool tensorrt_magnitude(Spec& spec, const ConfigFacts& facts) {
    const bool dropped = drop_attention_factor(spec, facts);
    return default_each_mscale(spec, facts) || dropped;
}

bool tensorrt_no_mimo(Spec&, const ConfigFacts& facts) {
    refuse_mimo_v2(facts, "TensorRT-LLM 51ea5c96");
    return false;
}

constexpr ReadingRule tensorrt_rules[] = {
    {.what = "type counts where rope_type says otherwise",
     .source = "interface.py, RopeParams.from_config",
     .apply = by_older_type,
     .chooses_type = true},
    {"dynamic: factor is not read, only HunYuan's alpha; unscaled at every length",
     "functional.py, create_sinusoidal_positions_for_attention_plugin", dynamic_unscaled},
    {"yarn, llama3, longrope: original_max_position_embeddings is 1024 where absent",
     "interface.py, RopeParams.from_config", tensorrt_original},
    {"yarn: attention_factor is not read; mscale is 1 and mscale_all_dim 0 where absent",
     "interface.py, RopeParams.from_config; functional.py, create_sinusoidal_positions_yarn",
     tensorrt_magnitude},
    {"yarn: the ramp's ends are rounded, whatever truncate says",
     "functional.py, create_sinusoidal_positions_yarn", always_truncate},
    {"longrope: short_mscale and long_mscale are not read", "interface.py, RopeParams.from_config",
     drop_list_mscales},
    {"longrope: long_factor at every length if max_seq_len, here max_position_embeddings, is "
     "beyond the original one",
     "functional.py, create_sinusoidal_positions_long_rope", longrope_by_engine},
    {"longrope: factor and attention_factor are not read; s is the ratio of the two lengths",
     "functional.py, create_sinusoidal_positions_long_rope", longrope_by_ratio},
    {"MiMo-V2: no such class", "tensorrt_llm/_torch/models", tensorrt_no_mimo},
};

}  // namespace

const Reading tensorrt_llm_reading{"tensorrt-llm", "TensorRT-LLM 51ea5c96", tensorrt_types,
                                   tensorrt_rules};

}  // namespace rope
