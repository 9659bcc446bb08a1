#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/model_classes.hpp"
#include "io/explain/explanation.hpp"
#include "io/lint/lint.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

// 8192 and up with commas, so that lengths can be read; below, three digits
std::string length_text(double positions) {
    constexpr double most = 1e15;
    if (std::isinf(positions)) return "∞";
    if (positions >= most || positions < 1000) return significant(positions, 3);
    return grouped(static_cast<std::uint64_t>(std::round(positions)));
}

// "6.28…13,410", or one of them where they print the same
std::string span_text(const std::string& first, const std::string& last) {
    return first == last ? first : first + "…" + last;
}

struct ValueText {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool yes) const { return yes ? "true" : "false"; }
    std::string operator()(std::uint64_t n) const { return decimal(n); }
    std::string operator()(double x) const { return plain(x); }
    std::string operator()(const std::string& text) const { return printable(text); }
    std::string operator()(const std::vector<double>& list) const {
        return fmt::format("{} values", list.size());
    }
};

}  // namespace

std::string value_text(const SettingValue& value) { return std::visit(ValueText{}, value); }

std::string band_text(const BandRun& run) {
    if (run.band == Band::unscaled || run.band == Band::still)
        return std::string(to_string(run.band));
    const std::string divisor =
        "÷" + span_text(significant(run.least, 3), significant(run.most, 3));
    return run.band == Band::blended ? divisor + " (blended)" : divisor;
}

Cells settings_cells(const ExplainedPlan& plan) {
    Cells cells{{"key", "value", "from"}, "lll"};
    for (const auto& [field, value, from] : plan.settings)
        cells.rows.push_back({field, value_text(value), printable(from)});
    return cells;
}

Cells band_cells(const ExplainedPlan& plan) {
    const auto context = static_cast<double>(plan.context);
    Cells cells{{"pairs", "frequency", "wavelength", "turns in " + grouped(plan.context)}, "llrr"};
    for (const BandRun& run : band_runs(plan.pairs)) {
        const SpectralPair &first = plan.pairs[run.first], &last = plan.pairs[run.last];
        cells.rows.push_back(
            {range(run.first, run.last), band_text(run),
             span_text(length_text(first.wavelength), length_text(last.wavelength)),
             span_text(length_text(first.turns(context)), length_text(last.turns(context)))});
    }
    return cells;
}

Cells pair_cells(const ExplainedPlan& plan) {
    const auto context = static_cast<double>(plan.context);
    Cells cells{{"pair", "inv_freq", "unscaled", "÷", "wavelength", "turns", "band"}, "rrrrrrl"};
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const SpectralPair& pair = plan.pairs[i];
        cells.rows.push_back({decimal(i), significant(pair.inv_freq, 9),
                              significant(pair.unscaled, 9), length_text(pair.divisor),
                              length_text(pair.wavelength), length_text(pair.turns(context)),
                              std::string(to_string(pair.band))});
    }
    return cells;
}

std::string never_turning_text(const ExplainedPlan& plan) {
    if (!plan.critical)
        return "the length of training is not in the file, so pairs that complete no turn in it "
               "are "
               "not counted";
    const CriticalDimension& critical = *plan.critical;
    const std::string length = grouped(critical.trained_length);
    if (critical.never_turn.empty())
        return fmt::format("every pair completes a turn in the {} positions of training", length);
    return fmt::format("{} of {} pairs never complete a turn in the {} positions of training: {}",
                       critical.never_turn.size(), plan.pairs.size(), length,
                       ranges(critical.never_turn));
}

std::string critical_dimension_text(const CriticalDimension& critical) {
    std::string text = fmt::format("critical dimension {}", critical.counted);
    if (critical.formula)
        text += fmt::format("; min(d, 2⌈d/2·log_b(T/2π)⌉) = {}", *critical.formula);
    return text + " (arXiv 2310.05209)";
}

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

bool has_default_width(const ExplainedPlan& plan) {
    return std::ranges::any_of(plan.settings, [](const auto& one) {
        const auto& [field, value, from] = one;
        return field == "head_dim" && from == "default";
    });
}

// "read as llama, whose code is in transformers …; every rotary key is used"
std::string class_text(const ResolvedModel& model, bool verbose) {
    if (model.groups.empty()) return "";
    const ModelClass* known = find_model_class(model.groups.front().resolved.facts.model_type);
    if (known == nullptr) return "";
    const bool is_all_used =
        model.ignored.empty() && std::ranges::count(model.lint, "unread-key", &Lint::id) == 0;
    return fmt::format("read as {}{}; {} rotary key is used\n", printable(known->name),
                       verbose ? ", whose code is in " + printable(known->source) : "",
                       is_all_used ? "every" : "not every");
}

}  // namespace

std::string explain_text(const ExplainedModel& explanation, bool verbose) {
    std::string text;
    if (!explanation.plans.empty() && has_default_width(explanation.plans.front()))
        text = "no config is given: the head_dim is a default\n";
    for (const ExplainedPlan& plan : explanation.plans) text += plan_text(plan, verbose) + "\n";
    text += class_text(explanation.model, verbose);
    for (const std::string& layers : explanation.not_rotated)
        text += fmt::format("not rotated: {}\n", printable(layers));
    for (const std::string& key : explanation.model.ignored)
        text += fmt::format("ignored: {}\n", printable(key));
    for (const auto& [field, value] : explanation.model.defaulted)
        text += fmt::format("defaulted: {} {}\n", field, printable(value));
    return fitted(text + lint_text(explanation.model.lint));  // last, where a terminal ends
}

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
