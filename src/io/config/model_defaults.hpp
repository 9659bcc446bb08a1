// What a model's own class in transformers assumes where its config.json is silent; most classes
// assume only the usual defaults.
#pragma once

#include <array>
#include <string_view>

namespace rope::io {

struct ModelDefaults {
    std::string_view model_type;
    std::string_view config;  // JSON
};

inline constexpr std::array<ModelDefaults, 2> model_defaults{{
    // Gemma3TextConfig, models/gemma3/configuration_gemma3.py
    {"gemma3_text", R"({"head_dim": 256, "max_position_embeddings": 131072,
        "rope_theta": 1e6, "rope_local_base_freq": 1e4})"},
    // Gemma4TextConfig, models/gemma4/configuration_gemma4.py
    {"gemma4_text", R"({"head_dim": 256, "global_head_dim": 512, "max_position_embeddings": 131072,
        "rope_parameters": {
            "sliding_attention": {"rope_type": "default", "rope_theta": 1e4},
            "full_attention": {"rope_type": "proportional", "partial_rotary_factor": 0.25,
                               "rope_theta": 1e6}}})"},
}};

constexpr std::string_view defaults_of(std::string_view model_type) {
    for (const ModelDefaults& row : model_defaults)
        if (row.model_type == model_type) return row.config;
    return "{}";
}

}  // namespace rope::io
