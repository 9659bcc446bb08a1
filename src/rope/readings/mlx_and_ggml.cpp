// What mlx-lm's classes make of a base that stands in rope_parameters, and of scaling.
#include <algorithm>
#include <array>
#include <numeric>

#include "rope/exact/big_real.hpp"
#include "rope/readings/readings.hpp"
#include "rope/spec/spec.hpp"
#include "rope/spec/yarn.hpp"

namespace rope {
namespace {

double mlx_base(const ConfigFacts& facts) {
    if (facts.slides && facts.has("mlx_local_base")) return facts.outer_theta.value_or(1e4);
    if (facts.top_theta) return *facts.top_theta;
    if (*facts.mlx_theta == 0)
        throw InputError("rope_theta",
                         "is missing at the top level, where mlx-lm d78bf58e needs it; it "
                         "does not look in rope sections of " +
                             facts.model_type);
    return *facts.mlx_theta;
}

bool is_scaled_by(const ConfigFacts& facts, std::string_view rope_type) {
    const bool by_linear = facts.has("mlx_scales_by_linear"),
               by_longrope = facts.has("mlx_scales_by_longrope");
    if (by_linear || by_longrope)
        return (by_linear && rope_type == "linear") || (by_longrope && rope_type == "longrope");
    return !facts.has("mlx_unscaled");
}

// Many classes pass their head_dim on as the number of lanes that rotate.
bool mlx_whole_head(Spec& spec, const ConfigFacts& facts) {
    return facts.has("mlx_whole_head") && change(spec.rotary_dim, spec.head_dim);
}

// Many classes pass no rope_scaling on: nothing is scaled. Throws InputError where the class
// refuses the type.
bool mlx_class_scaling(Spec& spec, const ConfigFacts& facts) {
    const std::string& rope_type = spec.scaling.rope_type;
    if (rope_type == "default" || is_scaled_by(facts, rope_type)) return false;
    if (facts.has("mlx_refuses_other_types") && rope_type != "linear")
        throw InputError(
            "rope_type", rope_type,
            "linear, which is all that mlx-lm's class of " + facts.model_type + " knows");
    spec.scaling = {};
    spec.seq_len.reset();
    return true;
}

// rope_parameters is not read, but of classes without mlx_theta: the base and the fraction
// are the top level's or the class's own, and nothing is scaled. Nor is a base in rope_scaling.
// Throws InputError where the class has none of its own.
bool mlx_without_rope_parameters(Spec& spec, const ConfigFacts& facts) {
    const bool is_outside = facts.in_rope_parameters || facts.theta_in_scaling;
    if (!is_outside || !facts.mlx_theta) return false;
    const Spec before = spec;
    spec.rope_theta = mlx_base(facts);
    if (!facts.in_rope_parameters) return spec != before;
    if (facts.mlx_fraction)
        spec.rotary_dim = static_cast<std::uint32_t>(
            spec.head_dim * facts.top_fraction.value_or(*facts.mlx_fraction));
    spec.scaling = {};
    spec.seq_len.reset();
    return spec != before;
}

// mlx-lm d78bf58e, mlx_lm/models/rope_utils.py.

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

bool mlx_type(Spec& spec, const ConfigFacts& facts) {
    return !facts.has("mlx_rope_type_first") && by_older_type(spec, facts);
}

std::optional<LayerNumbers> llama4_step(const ConfigFacts& facts) {
    return facts.has("mlx_every_fourth_is_nope") ? but_every_fourth(facts) : std::nullopt;
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

namespace {

// llama.cpp f12cc6d0f: what its converter (conversion/) writes of a config, and what its graphs and
// ggml make of that.

constexpr std::array<std::string_view, 8> ggml_types{
    "default", "linear", "dynamic", "ntk", "yarn", "longrope", "llama3", "proportional"};

// HunYuan's alpha is the one thing that is read of them.
bool unscaled(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "ntk")) return dynamic_unscaled(spec, facts);
    if (facts.has_alpha) return false;
    spec.scaling = {};
    return true;
}

// DeepSeek's mscale is taken for mscale_all_dim, Mistral's for 1, others' are not read. The file
// keeps attention_factor as yarn_attn_factor, which the context overwrites.
bool ggml_magnitude(Spec& spec, const ConfigFacts& facts) {
    Scaling& scaling = spec.scaling;
    if (!is_type(spec, "yarn") || facts.is_gguf) return false;
    const bool dropped = drop_attention_factor(spec, facts);
    const bool has_all = scaling.mscale_all_dim.value_or(0) != 0;
    if (has_all && facts.has("attention_factor_of_deepseek"))
        return change(scaling.mscale, *scaling.mscale_all_dim) || dropped;
    if (has_all && facts.has("ggml_mscale_is_1")) return change(scaling.mscale, 1.0) || dropped;
    return drop_mscale_ratio(spec, facts) || dropped;
}

// Most architectures leave llama_hparams' own betas, and its -1 for ext_factor, which is 1 here.
bool default_ramp(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "yarn") || facts.is_gguf || facts.model_type.empty() ||
        facts.has("ggml_mscale_is_1"))
        return false;
    const bool is_other = spec.scaling.beta_fast.value_or(yarn_beta_fast) != yarn_beta_fast ||
                          spec.scaling.beta_slow.value_or(yarn_beta_slow) != yarn_beta_slow;
    spec.scaling.beta_fast.reset();
    spec.scaling.beta_slow.reset();
    return is_other;
}

// y = (i − low)/max(0.001, high − low): where high < low, pairs up to low are kept and the others
// interpolated, a step. Betas of pair low + ½ round to that.
bool step_of_exchanged_ends(Spec& spec, const ConfigFacts&) {
    if (!is_type(spec, "yarn")) return false;
    const YarnRamp ramp = yarn_ramp(spec, exact_precision);
    if (!(ramp.high < ramp.low)) return false;
    const double step = std::min(ramp.low.to_double(), static_cast<double>(spec.pairs())) + 0.5;
    const BigReal exponent = BigReal(2 * step, exact_precision) / spec.rotary_dim;
    const auto length = static_cast<double>(*spec.scaling.original_max_position_embeddings);
    const BigReal turns = length / (pow(BigReal(spec.rope_theta, exact_precision), exponent) *
                                    BigReal::pi(exact_precision) * 2.0);
    spec.scaling.beta_fast = spec.scaling.beta_slow = turns.to_double();
    return true;
}

bool truncates(Spec& spec, const ConfigFacts& facts) {
    return !facts.is_gguf && always_truncate(spec, facts);
}

bool llama3_original(Spec& spec, const ConfigFacts& facts) {
    return is_type(spec, "llama3") && !facts.is_gguf &&
           change_original(spec, facts.top_original, 8192);
}

// Factors are written for Phi-3 and MiniCPM alone; only Phi-3's has an attention factor.
bool longrope_of_class(Spec& spec, const ConfigFacts& facts) {
    if (!is_type(spec, "longrope") || facts.is_gguf) return false;
    if (facts.model_type.empty() || facts.has("phi3_longrope")) return false;
    if (facts.has("ggml_longrope_unmultiplied")) return change(spec.scaling.attention_factor, 1.0);
    spec.scaling = {};
    spec.seq_len.reset();
    return true;
}

bool longrope_ratio(Spec& spec, const ConfigFacts& facts) {
    return !facts.is_gguf && !facts.has("ggml_longrope_unmultiplied") &&
           longrope_by_ratio(spec, facts);
}

// What is neither height nor width, and not a multiple of 3, follows a fourth axis.
bool fourth_axis(Spec& spec, const ConfigFacts&) {
    if (spec.axes.scheme != AxisScheme::interleaved) return false;
    spec.axes.scheme = AxisScheme::interleaved4;
    spec.axes.sections.push_back(0);
    return true;
}

// hparams.n_no_rope_layer_step is 4, and for a Llama 4 without chunked attention (sliding_window 0
// in the file) the number of layers; no key of a GGUF sets it.
std::optional<LayerNumbers> by_step(const ConfigFacts& facts) {
    if (!facts.has("ggml_every_fourth_is_nope")) return std::nullopt;
    if (!facts.has("ggml_last_is_nope") || !facts.only_full_attention || facts.layer_count == 0)
        return but_every_fourth(facts);
    LayerNumbers layers(facts.layer_count - 1);
    std::iota(layers.begin(), layers.end(), 0U);
    return layers;
}

// rope_freq_base_train and rope_freq_base_train_swa are 10000 unless the file has them.
bool ggml_mimo_bases(Spec& spec, const ConfigFacts& facts) {
    if (!is_mimo_v2(facts)) return false;
    if (!facts.top_fraction)
        throw InputError(std::string(name_of(&Scaling::partial_rotary_factor)),
                         "is missing, which its converter needs");
    ConfigFacts own = facts;
    own.swa_theta = facts.swa_theta.value_or(10000);
    return mimo_of_the_top(spec, own, 10000);
}

// Their converters call no set_gguf_parameters of the base, and rope_freq_base_train is 10000.
bool without_rope_keys(Spec& spec, const ConfigFacts& facts) {
    if (facts.is_gguf) return false;
    const bool is_unscaled = facts.has("ggml_linear_unwritten") && is_type(spec, "linear");
    const bool has_no_keys = facts.has("ggml_base_unwritten");
    if (!is_unscaled && !has_no_keys) return false;
    const Spec before = spec;
    if (has_no_keys) spec.rope_theta = 10000;
    spec.scaling = {};
    spec.seq_len.reset();
    return spec != before;
}

constexpr ReadingRule ggml_rules[] = {
    {"Gemma, Gemma 2, GPT-NeoX, Phi-2: neither the base nor scaling is written to the file; base "
     "10000, unscaled. Phi-3: linear is not written",
     "conversion/gemma.py, gptneox.py, phi.py, set_gguf_parameters", without_rope_keys},
    {"dynamic, ntk: factor is not written to the file; unscaled at every length",
     "conversion/base.py, set_gguf_parameters", unscaled},
    {"yarn: attention_factor is not used; mscale and mscale_all_dim only for DeepSeek "
     "and Mistral",
     "src/llama-context.cpp, llama_context; conversion/base.py, deepseek.py, mistral3.py",
     ggml_magnitude},
    {"yarn: the ramp's ends are rounded, whatever truncate says",
     "ggml/src/ggml.c, ggml_rope_yarn_corr_dims", truncates},
    {"yarn: beta_fast and beta_slow are 32 and 1, but for Mistral 3's",
     "src/models/*.cpp, load_arch_hparams: grok.cpp and mistral3.cpp alone read them",
     default_ramp},
    {"yarn: a ramp that ends before it begins, as with exchanged betas, is a step",
     "ggml/src/ggml-cpu/ops.cpp, rope_yarn_ramp", step_of_exchanged_ends},
    {"llama3: original_max_position_embeddings is the top level's, else 8192",
     "conversion/llama.py, generate_extra_tensors", llama3_original},
    {"longrope: lists are written only for Phi-3 and MiniCPM, an attention factor only for "
     "Phi-3",
     "conversion/phi.py, minicpm.py, base.py", longrope_of_class},
    {"longrope: factor and attention_factor are not read; s is the ratio of the two lengths",
     "conversion/phi.py, generate_extra_tensors", longrope_ratio},
    {"longrope: short_mscale and long_mscale are not read",
     "conversion/phi.py, generate_extra_tensors", drop_list_mscales},
    {"longrope: long_factor at every length if the context, here max_position_embeddings, is "
     "beyond the original one",
     "src/llama-model.cpp, get_rope_factors (ggml-org/llama.cpp#8995)", longrope_by_engine},
    {"proportional: factor is not read", "conversion/gemma.py, generate_extra_tensors",
     drop_factor_of_proportional},
    {"interleaved M-RoPE: pairs left over follow a fourth axis, 0 for text",
     "ggml/src/ggml-cpu/ops.cpp, ggml_mrope_cache_init", fourth_axis},
    {"SmolLM3, Llama 4: every fourth layer is NoPE, whatever no_rope_layers and "
     "no_rope_layer_interval say; of a Llama 4 with full_attention alone, the last one",
     "src/models/smollm3.cpp, llama4.cpp, load_arch_hparams: n_no_rope_layer_step", nullptr,
     by_step},
    {"MiMo-V2: rope_theta and swa_rope_theta, 10000 where absent, partial_rotary_factor of the top "
     "level, and hybrid_layer_pattern, not layer_types",
     "conversion/base.py, mimo.py; src/models/mimo2.cpp",
     ggml_mimo_bases,
     by_hybrid_pattern,
     {mimo_v2, mimo_keys}},
};

}  // namespace

const Reading ggml_reading{"ggml", "llama.cpp f12cc6d0f", ggml_types, ggml_rules};

}  // namespace rope
