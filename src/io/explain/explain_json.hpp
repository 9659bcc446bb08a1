// ExplainedModel -> JSON, schema rope-check-explain/1.
#pragma once

#include <string>
#include <string_view>

#include "io/explain/explanation.hpp"

namespace rope::io {

inline constexpr std::string_view explain_schema = "rope-check-explain/1";

// Keys in a fixed order; a pair's wavelength is "inf" where it does not rotate.
std::string explain_json(const ExplainedModel& explanation, std::string_view version);

}  // namespace rope::io
