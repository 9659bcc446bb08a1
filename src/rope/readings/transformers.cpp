// transformers, by version. 4.45 and 4.57 read rope_scaling; each rule is what its
// modeling_rope_utils.py does otherwise than 5.15's.
#include <algorithm>
#include <array>

#include "rope/readings/rules.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 6> transformers_types{"default", "linear",   "dynamic",
                                                             "yarn",    "longrope", "llama3"};

// 4.45's models that use ROPE_INIT_FUNCTIONS, and Phi's
constexpr std::array<std::string_view, 19> classes_445{
    "cohere", "falcon",    "gpt_neox", "gpt_neox_japanese", "granite",   "granitemoe", "llama",
    "mllama", "nemotron",  "olmoe",    "persimmon",         "phi",       "phi3",       "phimoe",
    "qwen2",  "qwen2_moe", "qwen2_vl", "stablelm",          "starcoder2"};

bool has_class_of_its_own(const ConfigFacts& facts) {
    return facts.model_type == "phi3" || facts.model_type == "phimoe";
}

bool no_rope_parameters(Spec& spec, const ConfigFacts& facts) {
    if (!facts.in_rope_parameters) return false;
    if (spec.axes.scheme != AxisScheme::single)
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
    constexpr std::array<std::string_view, 5> classes{"llama", "qwen2", "qwen2_moe", "qwen3",
                                                      "qwen3_moe"};
    return std::ranges::count(classes, facts.model_type) > 0 && !facts.in_rope_parameters &&
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
// classes of their own, which choose by length.
bool longrope_once(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "longrope") || has_class_of_its_own(facts)) return false;
    const std::uint64_t original = *spec.scaling.original_max_position_embeddings;
    const double factor = facts.top_original ? static_cast<double>(spec.max_position_embeddings) /
                                                   static_cast<double>(original)
                                             : spec.scaling.factor.value_or(1);
    return change(spec.seq_len, factor > 1 ? original + 1 : original);
}

bool phi3_by_ratio(Spec& spec, const ConfigFacts& facts) {
    return has_class_of_its_own(facts) && longrope_by_ratio(spec, facts);
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
                                       transformers_types, rules_445, classes_445};

}  // namespace rope
