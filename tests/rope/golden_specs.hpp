// Recordings, and a recorded case's config.json -> Spec, without the reader that is tested.
#pragma once

#include <bit>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "rope/specs.hpp"

namespace rope {

inline nlohmann::json recorded_json(const std::string& path) {
    return nlohmann::json::parse(std::ifstream(ROPE_CHECK_TESTS "/golden/" + path));
}

// The distance of positive numbers in float32 spacings.
inline int ulps(float x, const std::string& recorded_hex) {
    std::uint32_t recorded = 0;
    std::from_chars(recorded_hex.data(), recorded_hex.data() + recorded_hex.size(), recorded, 16);
    return std::abs(static_cast<int>(std::bit_cast<std::uint32_t>(x)) - static_cast<int>(recorded));
}

inline Scaling golden_scaling(const nlohmann::json& config) {
    Scaling scaling;
    if (config.contains("original_max_position_embeddings"))
        scaling.original_max_position_embeddings = config["original_max_position_embeddings"];
    if (!config.contains("rope_scaling")) return scaling;
    const nlohmann::json& from = config["rope_scaling"];
    const auto read = [&](const char* key, auto& field) {
        if (from.contains(key)) field = from[key].get<std::decay_t<decltype(*field)>>();
    };
    scaling.rope_type = from["rope_type"].get<std::string>();
    read("factor", scaling.factor);
    read("low_freq_factor", scaling.low_freq_factor);
    read("high_freq_factor", scaling.high_freq_factor);
    read("original_max_position_embeddings", scaling.original_max_position_embeddings);
    read("beta_fast", scaling.beta_fast);
    read("beta_slow", scaling.beta_slow);
    read("truncate", scaling.truncate);
    read("mscale", scaling.mscale);
    read("mscale_all_dim", scaling.mscale_all_dim);
    read("attention_factor", scaling.attention_factor);
    read("partial_rotary_factor", scaling.partial_rotary_factor);
    if (from.contains("short_factor"))
        scaling.short_factor = from["short_factor"].get<std::vector<double>>();
    if (from.contains("long_factor"))
        scaling.long_factor = from["long_factor"].get<std::vector<double>>();
    return scaling;
}

inline Spec golden_spec(const nlohmann::json& config, std::uint32_t rotary_dim) {
    Spec spec = spec_of(rotary_dim, config["rope_theta"], golden_scaling(config),
                        config["max_position_embeddings"]);
    spec.head_dim = config["head_dim"];
    return spec;
}

}  // namespace rope
