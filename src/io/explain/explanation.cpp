#include "io/explain/explanation.hpp"

#include <fmt/format.h>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/config/config.hpp"
#include "io/model/models.hpp"
#include "io/text/json_text.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

std::string factor_text(const Contrast& factor) {
    const std::string own = significant(factor.b, 4);
    return factor.relative > same_in_float32 ? own + " (" + significant(factor.a, 4) + ")" : own;
}

// "9–17"; "9…61" if pairs between them are not in the list
std::string span_of(const std::vector<std::uint32_t>& pairs) {
    const std::uint32_t first = pairs.front(), last = pairs.back();
    return last - first + 1 == pairs.size() ? range(first, last)
                                            : decimal(first) + "…" + decimal(last);
}

std::vector<std::string> row_of(const ReadBy& by, const ReadingDifference& found) {
    std::vector<std::string> row{std::string(by.reading->name)};
    if (found.pairs.empty()) {
        row.insert(row.end(), {"none", "", "", "", ""});
    } else {
        const Contrast& worst = found.turning[found.worst_pair];
        row.insert(row.end(), {span_of(found.pairs), decimal(found.worst_pair),
                               significant(worst.b, 3), significant(worst.a, 3),
                               found.radian_position ? grouped(*found.radian_position) : "never"});
    }
    row.push_back(factor_text(found.difference.attention_factor));
    return row;
}

Cells reading_cells(const ComparedReadings& readings) {
    Cells cells{
        {"reading", "pairs", "worst", "inv_freq", "(default)", "1 rad at", "factor (default)"},
        "lrrrrrl"};
    for (const OtherReading& other : readings.others)
        for (const ReadBy& by : other.by) cells.rows.push_back(row_of(by, other.difference));
    return cells;
}

std::string alike_line(const ComparedReadings& readings) {
    if (!readings.others.empty())
        return readings.alike.empty() ? ""
                                      : "as the default: " + join(readings.alike, &Reading::name);
    if (!readings.unknown_class.empty()) return "no rule of rope-check list readings changes it";
    const std::string all = readings.refused.empty() ? "every library that is known here"
                                                     : "every library that reads it";
    const std::string what =
        readings.unread.empty()
            ? " reads it alike"
            : " agrees with transformers 5 on every key that transformers 5 reads";
    return all + what +
           (readings.refused.empty() ? ""
                                     : ": transformers, " + join(readings.alike, &Reading::name));
}

// The parts of a config that no reading covers.
std::vector<std::string> uncovered_lines(const ComparedReadings& readings) {
    std::vector<std::string> lines;
    if (!readings.unread.empty())
        lines.push_back(
            "transformers 5 does not read " +
            join(readings.unread, [](const std::string& key) { return printable(key); }) +
            "; another library may");
    if (!readings.unknown_class.empty())
        lines.push_back("the class " + printable(readings.unknown_class) +
                        " is not known here; a library's own code for it may do otherwise");
    return lines;
}

// "layers that rotate so: 0–2, 4–6 (transformers 5: 0, 2, 4, 6)"
std::string layers_line(const OtherReading& other, const ComparedReadings& readings) {
    return "layers that rotate so: " + (other.layers->empty() ? "none" : ranges(*other.layers)) +
           " (transformers 5: " + ranges(readings.layers) + ")";
}

void add_rules(Document& document, const OtherReading& other, const ComparedReadings& readings) {
    for (const ReadBy& by : other.by) {
        document.item("  ", fmt::format("{}, {}", by.reading->name, by.reading->library));
        for (const ReadingRule* rule : by.changed) {
            document.text += hanging("    ", rule->what) + hanging("      ", rule->source);
            document.markdown += fmt::format("  - {} ({})\n", markdown_escape(rule->what),
                                             markdown_escape(rule->source));
        }
        if (!other.layers) continue;
        document.text += hanging("    ", layers_line(other, readings));
        document.markdown += "  - " + layers_line(other, readings) + "\n";
    }
}

Json by_json(const ReadBy& by) {
    return {{"reading", by.reading->name},
            {"library", by.reading->library},
            {"rules", json_array(by.changed, [](const auto* rule) { return rule_json(*rule); })}};
}

Json other_json(const OtherReading& other) {
    const ReadingDifference& found = other.difference;
    Json worst = contrast_json(found.turning[found.worst_pair], "transformers", "reading");
    worst["pair"] = found.worst_pair;
    Json radian = nullptr;
    if (found.radian_position)
        radian = {{"position", *found.radian_position}, {"pair", found.radian_pair}};
    return {{"by", json_array(other.by, by_json)},
            {"differing", found.differing},
            {"pairs", found.pairs},
            {"worst_inv_freq", std::move(worst)},
            {"radian", std::move(radian)},
            {"attention_factor",
             contrast_json(found.difference.attention_factor, "transformers", "reading")},
            {"inv_freq",
             json_array(found.turning, [](const Contrast& pair) { return json_number(pair.b); })},
            {"layers", or_null(other.layers)}};
}

ComparedReadings readings_of(const ResolvedSpec& resolved) {
    ComparedReadings readings = compare_readings(resolved.spec, resolved.facts);
    readings.unread = resolved.ignored;
    const std::string& type = resolved.facts.model_type;
    if (!type.empty() && find_model_class(type) == nullptr) readings.unknown_class = type;
    return readings;
}

// A config of a class without a length does not state that of training; nor does one of a model of
// images, whose positions are of rows and columns.
bool states_trained_length(const ResolvedSpec& resolved) {
    const Spec& spec = resolved.spec;
    const bool is_of_class = !resolved.facts.model_type.empty(),
               is_given = spec.scaling.original_max_position_embeddings ||
                          !has_default(resolved.origins, "max_position_embeddings");
    return has_trained_length(spec) &&
           (!is_of_class || (is_given && spec.axes.scheme != AxisScheme::blocks));
}

ExplainedPlan explain_plan(const LayerGroup& group, std::optional<std::uint64_t> context,
                           bool has_readings) {
    const Spec& spec = group.resolved.spec;
    const FrequencyPlan planned = plan_frequencies(spec, exact_precision);
    ExplainedPlan plan{.group = group,
                       .attention_factor = planned.attention_factor,
                       .softmax_scale_factor = planned.softmax_scale_factor,
                       .pairs = spectrum(spec),
                       .critical = {},
                       .context = context.value_or(group.context())};
    if (states_trained_length(group.resolved)) plan.critical = critical_dimension(spec, plan.pairs);
    if (has_readings) plan.readings = readings_of(group.resolved);
    return plan;
}

Json readings_json(const ComparedReadings& readings) {
    return {{"others", json_array(readings.others, other_json)},
            {"alike", json_array(readings.alike, &Reading::name)},
            {"refused", json_array(readings.refused,
                                   [](const auto& one) {
                                       return Json{{"reading", one.reading->name},
                                                   {"why", one.why}};
                                   })},
            {"layers", readings.layers},
            {"unread", readings.unread}};
}

Json critical_json(const std::optional<CriticalDimension>& critical) {
    if (!critical) return nullptr;
    return {{"trained_length", critical->trained_length},
            {"counted", critical->counted},
            {"formula", or_null(critical->formula)},
            {"never_turn", critical->never_turn}};
}

Json explained_json(const ExplainedPlan& plan) {
    const Spec& spec = plan.group.resolved.spec;
    Json json{{"layers", plan.group.layers}};
    for (const char* field :
         {"rope_type", "rope_theta", "head_dim", "rotary_dim", "layout", "max_position_embeddings"})
        json[field] = setting_value(spec, field);
    json.update({{"attention_factor", json_number(plan.attention_factor)},
                 {"softmax_scale_factor", json_number(plan.softmax_scale_factor)},
                 {"context", plan.context},
                 {"critical_dimension", critical_json(plan.critical)}});
    if (!spec.reading.empty()) json["reading"] = spec.reading;
    const auto context = static_cast<double>(plan.context);
    Json& resolved = json["resolved"] = Json::object();
    for (const auto& [field, from] : plan.group.resolved.origins)
        resolved[field] = {{"value", setting_value(spec, field)}, {"from", from}};
    json["inv_freq"] = json_array(plan.pairs, [](auto& p) { return json_number(p.inv_freq); });
    json["unscaled_inv_freq"] =
        json_array(plan.pairs, [](auto& p) { return json_number(p.unscaled); });
    json["wavelength"] = json_array(plan.pairs, [](auto& p) { return json_number(p.wavelength); });
    json["turns"] = json_array(plan.pairs, [&](auto& p) { return json_number(p.turns(context)); });
    json["band"] = json_array(plan.pairs, [](auto& p) { return to_string(p.band); });
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

// "unscaled", "÷8", "÷1.05…6.3 (blended)"
std::string band_text(const BandRun& run) {
    if (run.band == Band::unscaled || run.band == Band::still)
        return std::string(to_string(run.band));
    return divided_text(run) + (run.band == Band::blended ? " (blended)" : "");
}

// Of the config that is explained: "rope_scaling" for rope_scaling.factor, "hidden_size / heads",
// or its name if the key is the field; else "transformers' default for llama: hidden_size / heads".
std::string from_text(const Origin& origin, const std::string& config) {
    const std::size_t end = origin.from.find(": ");
    if (end == std::string::npos) return origin.from;
    const std::string mark = origin.from.substr(0, end);
    std::string keys = join(split(origin.from.substr(end + 2), mark + ": "), {}, "");
    if (keys == origin.field)
        return mark == config ? std::filesystem::path(config_name(mark)).filename().string() : mark;
    if (keys.ends_with("." + origin.field)) keys.resize(keys.size() - origin.field.size() - 1);
    return (mark == config ? "" : mark + ": ") + keys;
}

Cells settings_cells(const ExplainedPlan& plan, const std::string& config) {
    Cells cells{{"key", "value", "from"}, "lll"};
    for (const Origin& origin : plan.group.resolved.origins)
        cells.add(origin.field,
                  printable(short_text(setting_value(plan.group.resolved.spec, origin.field))),
                  printable(from_text(origin, config)));
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

// "29 of 64 pairs never complete a turn in 8,192 positions (max_position_embeddings): 35–63"
std::string never_turning_text(const ExplainedPlan& plan) {
    if (!plan.critical)
        return "the length of training is not in the file, so pairs that complete no turn in it "
               "are not counted";
    const CriticalDimension& critical = *plan.critical;
    const Spec& spec = plan.group.resolved.spec;
    const std::string length =
        fmt::format("{} positions ({})", grouped(critical.trained_length), critical.length_key);
    if (critical.never_turn.empty()) return "every pair completes a turn in " + length;
    const bool is_scaled = spec.scaling.rope_type != "default";
    return fmt::format("{} of {} pairs never complete a turn in {}{}: {}",
                       critical.never_turn.size(), plan.pairs.size(), length,
                       is_scaled && critical.formula ? ", before scaling" : "",
                       ranges(critical.never_turn));
}

// "critical dimension 70, as counted; by the formula of arXiv 2310.05209, 70"
std::string critical_dimension_text(const CriticalDimension& critical) {
    const std::string formula =
        critical.formula ? fmt::format("{} by the formula of", *critical.formula) : "see";
    return fmt::format("critical dimension {} (counted; {} arXiv 2310.05209)", critical.counted,
                       formula);
}

void add_readings(Document& document, const ComparedReadings& readings) {
    if (!readings.others.empty()) {
        document.item("  ",
                      "(default) is the reading of transformers 5, or of the paper for a rope type "
                      "that it lacks; worst is the pair whose inv_freq differs most, and 1 rad at "
                      "the first position at which an angle differs by 1 rad");
        document.table(reading_cells(readings), 2);
        document.text += "\n";
    }
    if (const std::string alike = alike_line(readings); !alike.empty()) document.item("  ", alike);
    for (const auto& [reading, why] : readings.refused)
        document.item("  ", fmt::format("not read by {}: {}", reading->name, printable(why, 1000)));
    for (const std::string& line : uncovered_lines(readings)) document.item("  ", line);
    for (const OtherReading& other : readings.others) add_rules(document, other, readings);
}

void add_plan(Document& document, const ExplainedPlan& plan, const std::string& config,
              bool verbose) {
    const Spec& spec = plan.group.resolved.spec;
    document.heading(
        "##", fmt::format("{}: {}, {} pairs on {} of {} dimensions, {}",
                          printable(plan.group.layers), spec.scaling.rope_type, plan.pairs.size(),
                          spec.rotary_dim, spec.head_dim, to_string(spec.layout)));
    if (!spec.reading.empty()) document.line("  ", reading_sentence(spec));
    document.table(settings_cells(plan, config), 2);
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

// "read as llama, whose code is in transformers …; every rotary key is used"
std::string class_text(const ResolvedModel& model, bool verbose) {
    if (model.groups.empty()) return "";
    const ModelClass* known = find_model_class(model.groups.front().resolved.facts.model_type);
    if (known == nullptr) return "";
    const bool is_all_used =
        model.ignored.empty() && std::ranges::none_of(model.lint, [](const Lint& one) {
            return one.id.starts_with("unread-") || one.id.ends_with("-unread");
        });
    return fmt::format("read as model class {}{}; {} rotary key is used", printable(known->name),
                       verbose ? ", whose code is in " + printable(known->source) : "",
                       is_all_used ? "every" : "not every");
}

}  // namespace

std::string length_text(double positions) {
    constexpr double most = 1e15;
    if (std::isinf(positions)) return "∞";
    if (positions >= most || positions < 999.5) return significant(positions, 3);
    return grouped(static_cast<std::uint64_t>(std::round(positions)));
}

std::string span_text(const std::string& first, const std::string& last) {
    return first == last ? first : first + "…" + last;
}

std::string divided_text(const BandRun& run) {
    if (run.most < 1)
        return "×" + span_text(significant(1 / run.most, 3), significant(1 / run.least, 3));
    return "÷" + span_text(length_text(run.least), length_text(run.most));
}

Json rule_json(const ReadingRule& rule) { return {{"what", rule.what}, {"source", rule.source}}; }

Json contrast_json(const Contrast& both, const char* a, const char* b) {
    return {{a, json_number(both.a)},
            {b, json_number(both.b)},
            {"relative", json_number(both.relative)}};
}

ExplainedModel explain(ResolvedModel model, std::optional<std::uint64_t> context,
                       bool has_readings) {
    ExplainedModel explanation;
    for (const LayerGroup& group : model.groups)
        if (group.rotates)
            explanation.plans.push_back(explain_plan(group, context, has_readings));
        else
            explanation.not_rotated.push_back(group.layers);
    explanation.model = std::move(model);
    return explanation;
}

Document explain_document(const ExplainedModel& explanation, bool verbose) {
    const ResolvedModel& model = explanation.model;
    Document document;
    document.markdown = "# Rotary position embedding\n";
    if (!explanation.plans.empty() &&
        has_default(explanation.plans.front().group.resolved.origins, "head_dim"))
        document.line("", fmt::format("no config is given: by default head_dim {}",
                                      explanation.plans.front().group.resolved.spec.head_dim));
    if (!model.origin.empty()) document.line("", "config: " + printable(config_name(model.origin)));
    for (const ExplainedPlan& plan : explanation.plans)
        add_plan(document, plan, model.origin, verbose);
    if (const std::string known = class_text(model, verbose); !known.empty())
        document.line("", known);
    for (const std::string& layers : explanation.not_rotated)
        document.line("", "not rotated: " + printable(layers));
    for (const std::string& key : model.ignored) document.line("", "ignored: " + printable(key));
    for (const auto& [field, value] : model.defaulted)
        document.line("", fmt::format("defaulted: {} {}", field, printable(value)));
    document.verdict = lint_text(model.lint);
    document.text += document.verdict;  // last, next to the prompt
    if (!model.lint.empty())
        document.markdown += "\n## Lint\n\n" + markdown_table(lint_cells(model.lint));
    document.json = json_document("rope-check-explain/1", model_json(explanation));
    return document;
}

}  // namespace rope::io
