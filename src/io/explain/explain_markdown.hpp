// ExplainedModel -> GitHub's Markdown, for a model card or a pull request.
#pragma once

#include <string>

#include "io/explain/explanation.hpp"

namespace rope::io {

// As explain_text, in headings and tables.
std::string explain_markdown(const ExplainedModel& explanation, bool verbose);

}  // namespace rope::io
