#include "rope/readings/mlx_classes.hpp"

#include <algorithm>
#include <array>

#include "rope/spec/spec.hpp"

namespace rope {
namespace {

// rope_theta and partial_rotary_factor of a class's ModelArgs where the file has none; 0: a base
// without a default, or a class that reads no fraction. mistral is llama's, kimi_k2 deepseek_v3's,
// minimax_m2 minimax's (utils.py, MODEL_REMAPPING).
struct MlxClass {
    std::string_view model_type;
    double base;
    double fraction = 0;
};
constexpr std::array mlx_classes{MlxClass{"afmoe", 1e4},
                                 MlxClass{"bailing_moe", 0},
                                 MlxClass{"bitnet", 1e4},
                                 MlxClass{"cohere", 8e6},
                                 MlxClass{"cohere2", 5e4},
                                 MlxClass{"deepseek", 1e4},
                                 MlxClass{"deepseek_v2", 1e4},
                                 MlxClass{"deepseek_v3", 1e4},
                                 MlxClass{"deepseek_v32", 1e4},
                                 MlxClass{"dots1", 0},
                                 MlxClass{"ernie4_5", 0},
                                 MlxClass{"ernie4_5_moe", 0},
                                 MlxClass{"exaone4", 0},
                                 MlxClass{"falcon_h1", 1e11},
                                 MlxClass{"gemma", 1e4},
                                 MlxClass{"gemma2", 1e4},
                                 MlxClass{"gemma3_text", 1e6},
                                 MlxClass{"glm", 1e4},
                                 MlxClass{"glm4", 0},
                                 MlxClass{"glm4_moe", 0},
                                 MlxClass{"glm4_moe_lite", 1e6},
                                 MlxClass{"granite", 0},
                                 MlxClass{"granitemoe", 0},
                                 MlxClass{"granitemoehybrid", 0},
                                 MlxClass{"helium", 0},
                                 MlxClass{"hunyuan_v1_dense", 1e4},
                                 MlxClass{"kimi_k2", 1e4},
                                 MlxClass{"llama", 1e4},
                                 MlxClass{"llama4_text", 0},
                                 MlxClass{"longcat_flash", 0},
                                 MlxClass{"minimax_m2", 0},
                                 MlxClass{"mistral", 1e4},
                                 MlxClass{"mixtral", 1e6},
                                 MlxClass{"nanochat", 1e4},
                                 MlxClass{"nemotron", 1e4, 0.5},
                                 MlxClass{"olmo2", 1e4},
                                 MlxClass{"olmo3", 0},
                                 MlxClass{"olmoe", 1e4},
                                 MlxClass{"phi", 1e4, 0.4},
                                 MlxClass{"phi3", 1e4, 1},
                                 MlxClass{"phimoe", 1e4},
                                 MlxClass{"qwen2", 1e6},
                                 MlxClass{"qwen2_moe", 1e6},
                                 MlxClass{"qwen3", 0},
                                 MlxClass{"qwen3_moe", 0},
                                 MlxClass{"qwen3_next", 0},
                                 MlxClass{"seed_oss", 1e4},
                                 MlxClass{"smollm3", 1e4},
                                 MlxClass{"solar_open", 0},
                                 MlxClass{"stablelm", 0},
                                 MlxClass{"starcoder2", 1e5}};

double base_of(const MlxClass& one, const ConfigFacts& facts) {
    if (facts.slides && one.model_type == "gemma3_text") return facts.outer_theta.value_or(1e4);
    if (facts.top_theta) return *facts.top_theta;
    if (one.base == 0)
        throw InputError("rope_theta",
                         "is missing at the top level, where mlx-lm d78bf58e needs it; it "
                         "does not look in rope sections of " +
                             std::string(one.model_type));
    return one.base;
}

// Classes whose rotation is nn.RoPE, or initialize_rope without rope_scaling.
constexpr std::array<std::string_view, 36> unscaled_classes{
    "Klear",      "afm7",      "baichuan_m1",      "cohere",     "cohere2",
    "dbrx",       "ernie4_5",  "ernie4_5_moe",     "gemma",      "gemma2",
    "gemma3n",    "glm",       "gemma3n_text",     "glm4",       "glm4_moe",
    "gpt_neox",   "helium",    "granitemoehybrid", "lfm2",       "lfm2_moe",
    "lille-130m", "minimax",   "minimax_m2",       "mixtral",    "olmo",
    "phi",        "phi-msft",  "phixtral",         "plamo",      "plamo2",
    "qwen",       "qwen3_moe", "recurrent_gemma",  "solar_open", "stablelm",
    "starcoder2"};

// Classes that pass head_dim to nn.RoPE or initialize_rope; smollm3 and mistral are llama's.
constexpr std::array<std::string_view, 56> whole_head_classes{
    "Klear",       "afm7",        "afmoe",        "apertus",
    "baichuan_m1", "bitnet",      "cohere",       "cohere2",
    "dots1",       "ernie4_5",    "ernie4_5_moe", "exaone",
    "exaone4",     "exaone_moe",  "falcon_h1",    "gemma",
    "gemma2",      "gemma3_text", "gemma3n_text", "glm",
    "gpt_oss",     "granite",     "granitemoe",   "granitemoehybrid",
    "helium",      "internlm2",   "internlm3",    "iquestloopcoder",
    "lfm2",        "lfm2_moe",    "llama",        "mellum",
    "llama4_text", "mimo",        "minicpm",      "ministral3",
    "mistral",     "mixtral",     "nemotron-nas", "olmo",
    "olmo2",       "olmo3",       "olmoe",        "phimoe",
    "plamo",       "qwen",        "qwen2",        "qwen2_moe",
    "qwen3",       "qwen3_moe",   "seed_oss",     "smollm3",
    "starcoder2",  "telechat3",   "deepseek",     "dbrx"};

bool is_scaled_by(std::string_view model_type, std::string_view rope_type) {
    if (model_type == "phi3") return rope_type == "linear" || rope_type == "longrope";
    if (model_type == "deepseek" || model_type == "nemotron") return rope_type == "linear";
    return model_type != "qwen2_moe" &&
           std::ranges::find(unscaled_classes, model_type) == unscaled_classes.end();
}

}  // namespace

bool mlx_whole_head(Spec& spec, const ConfigFacts& facts) {
    return std::ranges::count(whole_head_classes, facts.model_type) != 0 &&
           change(spec.rotary_dim, spec.head_dim);
}

bool mlx_class_scaling(Spec& spec, const ConfigFacts& facts) {
    const std::string& rope_type = spec.scaling.rope_type;
    if (rope_type == "default" || is_scaled_by(facts.model_type, rope_type)) return false;
    const bool is_picky = facts.model_type == "nemotron" || facts.model_type == "qwen2_moe";
    if (is_picky && rope_type != "linear")
        throw InputError(
            "rope_type", rope_type,
            "linear, which is all that mlx-lm's class of " + facts.model_type + " knows");
    spec.scaling = {};
    spec.seq_len.reset();
    return true;
}

bool mlx_without_rope_parameters(Spec& spec, const ConfigFacts& facts) {
    const auto* const one = std::ranges::find(mlx_classes, facts.model_type, &MlxClass::model_type);
    const bool is_outside = facts.in_rope_parameters || facts.theta_in_scaling;
    if (!is_outside || one == mlx_classes.end()) return false;
    const Spec before = spec;
    spec.rope_theta = base_of(*one, facts);
    if (!facts.in_rope_parameters) return spec != before;
    if (one->fraction != 0)
        spec.rotary_dim =
            static_cast<std::uint32_t>(spec.head_dim * facts.top_fraction.value_or(one->fraction));
    spec.scaling = {};
    spec.seq_len.reset();
    return spec != before;
}

}  // namespace rope
