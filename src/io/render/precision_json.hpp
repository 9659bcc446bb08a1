// Reports with the errors in each cell of position and pair, as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rope/checks/error_map.hpp"

namespace rope::io {

// Schema rope-check-precision/1.
std::string precision_json(std::span<const MappedReport> reports, std::string_view version);

}  // namespace rope::io
