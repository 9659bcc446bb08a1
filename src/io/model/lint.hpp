// Findings about a config, whether or not it can be used.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/text/document.hpp"

namespace rope::io {

struct DraftedModel;

//   warning   a mistake, probably one, or a key that implementations read differently
//   note      legal, but easily overlooked
enum class Severity { note, warning };
constexpr std::string_view to_string(Severity severity) {
    return severity == Severity::note ? "note" : "warning";
}

struct Lint {
    std::string id;  // "attention-factor-is-factor"
    Severity severity = Severity::note;
    std::string where;    // "config.json: rope_scaling.attention_factor"
    std::string message;  // the fault, and the right value

    bool operator==(const Lint&) const = default;
};

// Whether one of the findings is a warning, by which --strict exits 1.
bool gates(const std::vector<Lint>& findings);

// Returns each finding once, the warnings first, else in the order of the config's layers. A model
// that resolve_model refuses can be linted too: lint(draft_model(config, flags)).
std::vector<Lint> lint(const DraftedModel& model);

// Returns the findings as text, a line each: "warning: config.json: rope_scaling.factor: is 1,
// which scales nothing [factor-one]"
std::string lint_text(std::span<const Lint> findings);

nlohmann::ordered_json lint_json(std::span<const Lint> findings);

Cells lint_cells(std::span<const Lint> findings);

}  // namespace rope::io
