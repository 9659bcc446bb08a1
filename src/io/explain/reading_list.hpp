// The readings that are known and their rules, as text, as Markdown (docs/readings.md) and as JSON
// of schema rope-check-readings/1.
#pragma once

#include <string>
#include <string_view>

namespace rope::io {

inline constexpr std::string_view readings_schema = "rope-check-readings/1";

std::string reading_list_text();
std::string reading_list_markdown();
std::string reading_list_json(std::string_view version);

}  // namespace rope::io
