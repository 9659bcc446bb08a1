// What libraries other than transformers 5 look at in a config.
#pragma once

#include <string_view>

#include "io/config/config_file.hpp"
#include "rope/readings/readings.hpp"

namespace rope::io {

// Where a class keeps its base of transformers 5, if that differs from 4's, its rope_theta.
inline constexpr std::string_view default_theta = "default_theta";

inline constexpr std::string_view telechat3_yarn = "telechat3-yarn";

// Whether a rope section says so; it is YaRN with an attention factor of its own.
bool is_telechat3_yarn(ConfigSection rope);

// Marks no key as read. Throws InputError.
ConfigFacts config_facts(const ConfigFile& file, const LayerSection& layer);

}  // namespace rope::io
