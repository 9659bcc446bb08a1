// How other libraries read a config, as text, Markdown and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rope/readings/readings.hpp"

namespace rope::io {

// At most 80 columns.
std::string readings_text(const ComparedReadings& readings);
std::string readings_markdown(const ComparedReadings& readings);

nlohmann::ordered_json rule_json(const ReadingRule& rule);
nlohmann::ordered_json readings_json(const ComparedReadings& readings);

}  // namespace rope::io
