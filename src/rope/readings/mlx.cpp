// mlx-lm d78bf58e, mlx_lm/models/rope_utils.py.
#include <algorithm>
#include <array>

#include "rope/readings/mlx_classes.hpp"
#include "rope/readings/rules.hpp"

namespace rope {
namespace {

constexpr std::array<std::string_view, 7> mlx_types{"default",  "linear", "dynamic",     "yarn",
                                                    "longrope", "llama3", "proportional"};

bool mlx_original(Spec& spec, const ConfigFacts& facts) {
    if (is_type(spec, "yarn")) return change_original(spec, facts.section_original, 4096);
    return is_type(spec, "llama3") && change_original(spec, facts.section_original, 8192);
}

bool mlx_magnitude(Spec& spec, const ConfigFacts& facts) {
    const bool dropped = drop_attention_factor(spec, facts);
    return default_each_mscale(spec, facts) || dropped;
}

bool always_long(Spec& spec, const ConfigFacts&) {
    const Scaling& scaling = spec.scaling;
    if (!is_type(spec, "longrope") || scaling.short_factor == scaling.long_factor) return false;
    const std::uint64_t beyond = *scaling.original_max_position_embeddings + 1;
    return change(spec.seq_len, std::max(spec.max_position_embeddings, beyond));
}

// models/mellum.py writes its rope_type over type.
bool mlx_type(Spec& spec, const ConfigFacts& facts) {
    return facts.model_type != "mellum" && by_older_type(spec, facts);
}

std::optional<LayerNumbers> llama4_step(const ConfigFacts& facts) {
    return facts.model_type == "llama4_text" ? but_every_fourth(facts) : std::nullopt;
}

// ModelArgs has no defaults for these.
bool mlx_mimo_bases(Spec& spec, const ConfigFacts& facts) {
    if (!is_mimo_v2(facts)) return false;
    if (!facts.top_theta || !facts.swa_theta || !facts.top_fraction)
        throw InputError(std::string(!facts.top_theta   ? "rope_theta"
                                     : !facts.swa_theta ? "swa_rope_theta"
                                                        : name_of(&Scaling::partial_rotary_factor)),
                         "is missing at the top level, where mlx-lm needs it");
    return mimo_of_the_top(spec, facts, 1);
}

constexpr ReadingRule mlx_rules[] = {
    {.what = "type counts where rope_type says otherwise",
     .source = "rope_utils.py, initialize_rope",
     .apply = mlx_type,
     .chooses_type = true},
    {"rope_parameters is read of classes made after transformers 5 alone: elsewhere the base is "
     "the top level's, else the class's, and nothing is scaled; nor is rope_theta of rope_scaling "
     "read",
     "models/llama.py, qwen3.py and others, ModelArgs (ml-explore/mlx-lm#953, #1563)",
     mlx_without_rope_parameters},
    {"nothing is scaled in classes that pass no rope_scaling on, such as Cohere's, Gemma's to 3n, "
     "GLM's, Mixtral's and MoE ones of Qwen; DeepSeek's and Nemotron's scale by linear alone, "
     "Phi-3's "
     "by linear and longrope",
     "models/qwen3_moe.py, gemma2.py and others, Attention: nn.RoPE", mlx_class_scaling},
    {"yarn, llama3: without original_max_position_embeddings in the rope section, it is 4096 for "
     "yarn, 8192 for llama3",
     "rope_utils.py, YarnRoPE, Llama3RoPE", mlx_original},
    {"yarn: attention_factor is not read; mscale is 1 and mscale_all_dim 0 where absent",
     "rope_utils.py, YarnRoPE (ml-explore/mlx-lm#1507)", mlx_magnitude},
    {"yarn: the ramp's ends are rounded, whatever truncate says", "rope_utils.py, YarnRoPE",
     always_truncate},
    {"longrope: long_factor at every length", "rope_utils.py, SuScaledRoPE", always_long},
    {"longrope: factor and attention_factor are not read; s is the ratio of the two lengths",
     "rope_utils.py, SuScaledRoPE", longrope_by_ratio},
    {"the whole head rotates, whatever partial_rotary_factor says, in classes that do not read it, "
     "such as Cohere's, Gemma's to 3n, GLM's, Llama's, Mistral's and Qwen's to 3",
     "models/llama.py, qwen3.py, glm.py and others, Attention: dims", mlx_whole_head},
    {"Llama 4: every fourth layer is NoPE, whatever no_rope_layers and no_rope_layer_interval say",
     "llama4.py, Attention", nullptr, llama4_step},
    {"MiMo-V2: rope_theta, swa_rope_theta and partial_rotary_factor of the top level, and "
     "hybrid_layer_pattern, not rope_parameters and layer_types",
     "mimo_v2_flash.py, Attention, LanguageModel",
     mlx_mimo_bases,
     by_hybrid_pattern,
     {mimo_v2, mimo_keys}},
};

}  // namespace

const Reading mlx_reading{"mlx", "mlx-lm d78bf58e", mlx_types, mlx_rules};

}  // namespace rope
