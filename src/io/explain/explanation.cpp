#include "io/explain/explanation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/model_classes.hpp"
#include "io/json/json_text.hpp"
#include "io/lint/lint.hpp"
#include "io/text/number.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
Json value_of(const std::vector<T>& list) {
    return list;
}
template <typename T>
Json value_of(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

ExplainedPlan explain_plan(const LayerGroup& group, std::optional<std::uint64_t> context) {
    const Spec& spec = group.resolved.spec;
    const FrequencyPlan planned = plan_frequencies(spec, exact_precision);
    ExplainedPlan plan;
    plan.layers = group.layers;
    plan.spec = spec;
    plan.origins = group.resolved.origins;
    plan.attention_factor = planned.attention_factor;
    plan.softmax_scale_factor = planned.softmax_scale_factor;
    plan.pairs = spectrum(spec);
    if (has_trained_length(spec)) plan.critical = critical_dimension(spec, plan.pairs);
    plan.context = context.value_or(group.context());
    return plan;
}

ComparedReadings readings_of(const ResolvedSpec& resolved) {
    ComparedReadings readings = compare_readings(resolved.spec, resolved.facts);
    readings.unread = resolved.ignored;
    const std::string& type = resolved.facts.model_type;
    if (!type.empty() && find_model_class(type) == nullptr) readings.unknown_class = type;
    return readings;
}

}  // namespace

Json setting_value(const Spec& spec, std::string_view field) {
    if (field == "head_dim") return spec.head_dim;
    if (field == "rotary_dim") return spec.rotary_dim;
    if (field == "rotary_offset") return spec.rotary_offset;
    if (field == "layout") return to_string(spec.layout);
    if (field == "direction") return to_string(spec.direction);
    if (field == "max_position_embeddings") return spec.max_position_embeddings;
    if (field == "rope_theta") return json_number(spec.rope_theta);
    if (field == "rope_type") return spec.scaling.rope_type;
    if (field == "seq_len") return value_of(spec.seq_len);
    if (field == "axes") return to_string(spec.axes.scheme);
    if (field == "mrope_section")
        return std::vector<double>(spec.axes.sections.begin(), spec.axes.sections.end());
    if (field == "mrope_interleaved")
        return spec.axes.scheme == AxisScheme::interleaved ? "true" : "false";
    const ScalingField* key = find_field(field);
    if (key == nullptr) return nullptr;
    return std::visit([&](auto member) { return value_of(spec.scaling.*member); }, key->member);
}

ExplainedModel explain(ResolvedModel model, std::optional<std::uint64_t> context) {
    ExplainedModel explanation;
    for (const LayerGroup& group : model.groups)
        if (group.rotates)
            explanation.plans.push_back(explain_plan(group, context));
        else
            explanation.not_rotated.push_back(group.layers);
    explanation.model = std::move(model);
    return explanation;
}

void add_readings(ExplainedModel& explanation) {
    auto plan = explanation.plans.begin();
    for (const LayerGroup& group : explanation.model.groups)
        if (group.rotates) plan++->readings = readings_of(group.resolved);
}

namespace {

// An array with a value of each pair.
template <typename Of>
Json per_pair(const ExplainedPlan& plan, Of of) {
    Json values = Json::array();
    for (const SpectralPair& pair : plan.pairs) values.push_back(of(pair));
    return values;
}

Json critical_json(const std::optional<CriticalDimension>& critical) {
    if (!critical) return nullptr;
    Json json{{"trained_length", critical->trained_length}, {"counted", critical->counted}};
    json["formula"] = critical->formula ? Json(*critical->formula) : Json(nullptr);
    json["never_turn"] = critical->never_turn;
    return json;
}

Json explained_json(const ExplainedPlan& plan) {
    const Spec& spec = plan.spec;
    Json json{{"layers", plan.layers},
              {"rope_type", spec.scaling.rope_type},
              {"rope_theta", json_number(spec.rope_theta)},
              {"head_dim", spec.head_dim},
              {"rotary_dim", spec.rotary_dim},
              {"layout", to_string(spec.layout)},
              {"max_position_embeddings", spec.max_position_embeddings},
              {"attention_factor", json_number(plan.attention_factor)},
              {"softmax_scale_factor", json_number(plan.softmax_scale_factor)},
              {"context", plan.context},
              {"critical_dimension", critical_json(plan.critical)}};
    if (!spec.reading.empty()) json["reading"] = spec.reading;
    const auto context = static_cast<double>(plan.context);
    Json& resolved = json["resolved"] = Json::object();
    for (const auto& [field, from] : plan.origins)
        resolved[field] = {{"value", setting_value(spec, field)}, {"from", from}};
    json["inv_freq"] = per_pair(plan, [](auto& p) { return json_number(p.inv_freq); });
    json["unscaled_inv_freq"] = per_pair(plan, [](auto& p) { return json_number(p.unscaled); });
    json["wavelength"] = per_pair(plan, [](auto& p) { return json_number(p.wavelength); });
    json["turns"] = per_pair(plan, [&](auto& p) { return json_number(p.turns(context)); });
    json["band"] = per_pair(plan, [](auto& p) { return to_string(p.band); });
    if (plan.readings) json["readings"] = readings_json(*plan.readings);
    return json;
}

Json model_json(const ExplainedModel& explanation) {
    const ResolvedModel& model = explanation.model;
    return {{"plans", json_array(explanation.plans, explained_json)},
            {"not_rotated", explanation.not_rotated},
            {"read", model.read},
            {"ignored", model.ignored},
            {"defaulted", json_array(model.defaulted,
                                     [](const Origin& one) {
                                         return Json{{"field", one.field}, {"value", one.from}};
                                     })},
            {"lint", lint_json(model.lint)}};
}

// From 1000 up with commas, below with three significant digits.
std::string length_text(double positions) {
    constexpr double most = 1e15;
    if (std::isinf(positions)) return "∞";
    if (positions >= most || positions < 1000) return significant(positions, 3);
    return grouped(static_cast<std::uint64_t>(std::round(positions)));
}

// "6.28…13,410"; one number if both are printed alike
std::string span_text(const std::string& first, const std::string& last) {
    return first == last ? first : first + "…" + last;
}

std::string value_text(const Json& value) {
    if (value.is_null()) return "";
    if (value.is_boolean()) return value ? "true" : "false";
    if (value.is_number_float()) return plain(value);
    if (value.is_number()) return decimal(value.get<std::uint64_t>());
    return value.is_array() ? fmt::format("{} values", value.size())
                            : printable(value.get<std::string>());
}

// "unscaled", "÷8", "÷1.05…6.3 (blended)"
std::string band_text(const BandRun& run) {
    if (run.band == Band::unscaled || run.band == Band::still)
        return std::string(to_string(run.band));
    const std::string divisor =
        "÷" + span_text(significant(run.least, 3), significant(run.most, 3));
    return run.band == Band::blended ? divisor + " (blended)" : divisor;
}

Cells settings_cells(const ExplainedPlan& plan) {
    Cells cells{{"key", "value", "from"}, "lll"};
    for (const auto& [field, from] : plan.origins)
        cells.add(field, value_text(setting_value(plan.spec, field)), printable(from));
    return cells;
}

// Rows of pairs with the same treatment: their range, the change, wavelengths and turns.
Cells band_cells(const ExplainedPlan& plan) {
    const auto context = static_cast<double>(plan.context);
    Cells cells{{"pairs", "frequency", "wavelength", "turns in " + grouped(plan.context)}, "llrr"};
    for (const BandRun& run : band_runs(plan.pairs)) {
        const SpectralPair &first = plan.pairs[run.first], &last = plan.pairs[run.last];
        cells.add(range(run.first, run.last), band_text(run),
                  span_text(length_text(first.wavelength), length_text(last.wavelength)),
                  span_text(length_text(first.turns(context)), length_text(last.turns(context))));
    }
    return cells;
}

Cells pair_cells(const ExplainedPlan& plan) {
    const auto context = static_cast<double>(plan.context);
    Cells cells{{"pair", "inv_freq", "unscaled", "÷", "wavelength", "turns", "band"}, "rrrrrrl"};
    for (std::size_t i = 0; i < plan.pairs.size(); ++i) {
        const SpectralPair& pair = plan.pairs[i];
        cells.add(decimal(i), significant(pair.inv_freq, 9), significant(pair.unscaled, 9),
                  length_text(pair.divisor), length_text(pair.wavelength),
                  length_text(pair.turns(context)), std::string(to_string(pair.band)));
    }
    return cells;
}

// "29 of 64 pairs never complete a turn in the 8,192 positions of training: 35–63"
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

// "critical dimension 70; min(d, 2⌈d/2·log_b(T/2π)⌉) = 70 (…)"
std::string critical_dimension_text(const CriticalDimension& critical) {
    std::string text = fmt::format("critical dimension {}", critical.counted);
    if (critical.formula)
        text += fmt::format("; min(d, 2⌈d/2·log_b(T/2π)⌉) = {}", *critical.formula);
    return text + " (arXiv 2310.05209)";
}

void add_plan(Document& document, const ExplainedPlan& plan, bool verbose) {
    const Spec& spec = plan.spec;
    document.heading(
        "##", fmt::format("{}: {}, {} pairs on {} of {} dimensions, {}", printable(plan.layers),
                          spec.scaling.rope_type, plan.pairs.size(), spec.rotary_dim, spec.head_dim,
                          to_string(spec.layout)));
    if (!spec.reading.empty()) document.line("  ", reading_sentence(spec));
    document.table(settings_cells(plan), 2);
    document.gap().line("  ", fmt::format("attention_factor {}, softmax_scale_factor {}",
                                          significant(plan.attention_factor, 12),
                                          significant(plan.softmax_scale_factor, 12)));
    document.gap().table(band_cells(plan), 2);
    document.gap().line("  ", never_turning_text(plan));
    if (plan.critical) document.line("  ", critical_dimension_text(*plan.critical));
    if (verbose) document.gap().table(pair_cells(plan), 2);

    if (plan.readings) {
        document.text += "\n";
        add_readings(document, *plan.readings);
    }
    document.text += "\n";
}

bool has_default_width(const ExplainedPlan& plan) {
    return std::ranges::any_of(plan.origins, [](const Origin& one) {
        return one.field == "head_dim" && one.from == "default";
    });
}

// "read as llama, whose code is in transformers …; every rotary key is used"
std::string class_text(const ResolvedModel& model, bool verbose) {
    if (model.groups.empty()) return "";
    const ModelClass* known = find_model_class(model.groups.front().resolved.facts.model_type);
    if (known == nullptr) return "";
    const bool is_all_used =
        model.ignored.empty() && std::ranges::count(model.lint, "unread-key", &Lint::id) == 0;
    return fmt::format("read as {}{}; {} rotary key is used", printable(known->name),
                       verbose ? ", whose code is in " + printable(known->source) : "",
                       is_all_used ? "every" : "not every");
}

}  // namespace

Document explain_document(const ExplainedModel& explanation, bool verbose) {
    const ResolvedModel& model = explanation.model;
    Document document;
    document.markdown = "# Rotary position embedding\n";
    if (!explanation.plans.empty() && has_default_width(explanation.plans.front()))
        document.line("", "no config is given: the head_dim is a default");
    for (const ExplainedPlan& plan : explanation.plans) add_plan(document, plan, verbose);
    if (const std::string known = class_text(model, verbose); !known.empty())
        document.line("", known);
    for (const std::string& layers : explanation.not_rotated)
        document.line("", "not rotated: " + printable(layers));
    for (const std::string& key : model.ignored) document.line("", "ignored: " + printable(key));
    for (const auto& [field, value] : model.defaulted)
        document.line("", fmt::format("defaulted: {} {}", field, printable(value)));
    document.text = fitted(document.text + lint_text(model.lint));  // last, next to the prompt
    if (!model.lint.empty())
        document.markdown += "\n## Lint\n\n" + markdown_table(lint_cells(model.lint));
    document.json = json_document("rope-check-explain/1", model_json(explanation));
    return document;
}

}  // namespace rope::io
