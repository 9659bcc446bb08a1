// TensorRT-LLM 51ea5c96, tensorrt_llm/_torch/attention_backend/interface.py and functional.py.
#include <array>

#include "rope/readings/rules.hpp"

namespace rope {
namespace {

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
