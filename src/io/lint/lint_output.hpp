// Lint as text, as JSON and as rows of a table.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "io/lint/lint.hpp"
#include "io/text/cells.hpp"

namespace rope::io {

// A line each: "warning: config.json: rope_scaling.factor: is 1, which scales nothing [factor-one]"
std::string lint_text(std::span<const Lint> findings);

nlohmann::ordered_json lint_json(std::span<const Lint> findings);

Cells lint_cells(std::span<const Lint> findings);

}  // namespace rope::io
