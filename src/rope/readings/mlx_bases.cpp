#include "rope/readings/mlx_bases.hpp"

#include <algorithm>
#include <array>

#include "rope/spec/fields.hpp"

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

}  // namespace

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
