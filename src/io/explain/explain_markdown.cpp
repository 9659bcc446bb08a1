#include "io/explain/explain_markdown.hpp"

#include <fmt/format.h>

#include "base/printable.hpp"
#include "io/explain/explain_cells.hpp"
#include "io/explain/readings_output.hpp"
#include "io/lint/lint_output.hpp"
#include "io/text/number_text.hpp"

namespace rope::io {
namespace {

std::string plan_markdown(const ExplainedPlan& plan, bool verbose) {
    const Spec& spec = plan.spec;
    std::string text = fmt::format(
        "## {}: {}\n\n{} pairs on {} of {} dimensions, {}; attention_factor {}, "
        "softmax_scale_factor {}.\n\n",
        markdown_escape(printable(plan.layers)), spec.scaling.rope_type, plan.pairs.size(),
        spec.rotary_dim, spec.head_dim, to_string(spec.layout),
        significant(plan.attention_factor, 12), significant(plan.softmax_scale_factor, 12));
    if (!spec.reading.empty()) text += reading_sentence(spec) + "\n\n";
    text += markdown_table(settings_cells(plan)) + "\n" + markdown_table(band_cells(plan)) + "\n";
    text += "- " + never_turning_text(plan) + "\n";
    if (plan.critical) text += "- " + critical_dimension_text(*plan.critical) + "\n";
    if (verbose) text += "\n" + markdown_table(pair_cells(plan));
    if (plan.readings) text += "\n" + readings_markdown(*plan.readings);
    return text;
}

std::string list(std::string_view heading, const std::vector<std::string>& lines) {
    if (lines.empty()) return "";
    std::string text = fmt::format("\n## {}\n\n", heading);
    for (const std::string& line : lines) text += "- " + markdown_escape(printable(line)) + "\n";
    return text;
}

}  // namespace

std::string explain_markdown(const ExplainedModel& explanation, bool verbose) {
    std::string text = "# Rotary position embedding\n";
    for (const ExplainedPlan& plan : explanation.plans)
        text.append("\n").append(plan_markdown(plan, verbose));
    text += list("Not rotated", explanation.not_rotated);
    text += list("Ignored", explanation.model.ignored);
    std::vector<std::string> defaulted;
    for (const auto& [field, value] : explanation.model.defaulted)
        defaulted.emplace_back(field).append(" ").append(value);
    text += list("Defaulted", defaulted);
    if (!explanation.model.lint.empty())
        text += "\n## Lint\n\n" + markdown_table(lint_cells(explanation.model.lint));
    return text;
}

}  // namespace rope::io
