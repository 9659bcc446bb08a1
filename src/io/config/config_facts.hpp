// What libraries other than transformers 5 look at in a config.
#pragma once

#include "io/config/config_file.hpp"
#include "rope/readings/readings.hpp"

namespace rope::io {

// Marks no key as read. Throws InputError.
ConfigFacts config_facts(const ConfigFile& file, const LayerSection& layer);

}  // namespace rope::io
