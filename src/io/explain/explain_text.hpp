// ExplainedModel -> text for a terminal.
#pragma once

#include <string>

#include "io/explain/explanation.hpp"

namespace rope::io {

// What was read, and the pairs in runs that behave alike; `verbose` lists every pair.
std::string explain_text(const ExplainedModel& explanation, bool verbose);

}  // namespace rope::io
