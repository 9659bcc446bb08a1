#include "io/explain/explain_text.hpp"

#include <fmt/format.h>

#include "base/printable.hpp"
#include "io/config/model_classes.hpp"
#include "io/explain/explain_cells.hpp"
#include "io/explain/readings_output.hpp"
#include "io/lint/lint_output.hpp"
#include "io/text/number_text.hpp"

namespace rope::io {
namespace {

std::string plan_text(const ExplainedPlan& plan, bool verbose) {
    const Spec& spec = plan.spec;
    std::string text =
        fmt::format("{}: {}, {} pairs on {} of {} dimensions, {}\n", printable(plan.layers),
                    spec.scaling.rope_type, plan.pairs.size(), spec.rotary_dim, spec.head_dim,
                    to_string(spec.layout));
    if (!spec.reading.empty()) text += "  " + reading_sentence(spec) + "\n";
    text += aligned(settings_cells(plan), 2);
    text += fmt::format("\n  attention_factor {}, softmax_scale_factor {}\n",
                        significant(plan.attention_factor, 12),
                        significant(plan.softmax_scale_factor, 12));
    text += "\n" + aligned(band_cells(plan), 2) + "\n";
    text += "  " + never_turning_text(plan) + "\n";
    if (plan.critical) text += "  " + critical_dimension_text(*plan.critical) + "\n";
    if (verbose) text += "\n" + aligned(pair_cells(plan), 2);
    if (plan.readings) text += "\n" + readings_text(*plan.readings);
    return text;
}

// "class llama, read in transformers …; every rotary key is used"
std::string class_text(const ResolvedModel& model) {
    if (model.groups.empty()) return "";
    const ModelClass* known = find_model_class(model.groups.front().resolved.facts.model_type);
    if (known == nullptr) return "";
    return fmt::format("class {}, read in {}{}\n", printable(known->name), printable(known->source),
                       model.ignored.empty() ? "; every rotary key is used" : "");
}

}  // namespace

std::string explain_text(const ExplainedModel& explanation, bool verbose) {
    std::string text;
    for (const ExplainedPlan& plan : explanation.plans) text += plan_text(plan, verbose) + "\n";
    if (verbose) text += class_text(explanation.model);
    for (const std::string& layers : explanation.not_rotated)
        text += fmt::format("not rotated: {}\n", printable(layers));
    for (const std::string& key : explanation.model.ignored)
        text += fmt::format("ignored: {}\n", printable(key));
    for (const auto& [field, value] : explanation.model.defaulted)
        text += fmt::format("defaulted: {} {}\n", field, printable(value));
    return text + lint_text(explanation.model.lint);  // last, where a terminal ends
}

}  // namespace rope::io
