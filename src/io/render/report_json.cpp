// Reports, and the page of a report, as JSON.
#include <nlohmann/json.hpp>

#include "base/base64.hpp"
#include "base/bytes.hpp"
#include "base/decimal.hpp"
#include "io/model/spec_flags.hpp"
#include "io/render/results.hpp"
#include "io/text/json_text.hpp"
#include "rope/checks/decay.hpp"

namespace rope::io {
namespace {

Json drift_entry(const Drift& drift) {
    Json json{{"metric", drift.recorded.name},
              {"class", to_string(drift.recorded.kind)},
              {"change", to_string(drift.change)},
              {"fails", drift.fails}};
    if (drift.change != Change::added) json["recorded"] = field_json(drift.recorded.value);
    if (drift.change != Change::vanished) json["now"] = field_json(drift.now);
    if (drift.difference) {
        json["difference"] = json_number(*drift.difference);
        json["allowed"] = json_number(drift.allowed);
    }
    return json;
}

Json run_json(const RunDrift& run) {
    Json changes = Json::array();
    for (const Drift& drift : run.drifts)
        if (drift.change != Change::same) changes.push_back(drift_entry(drift));
    return {{"command", run.command},
            {"metrics", run.drifts.size()},
            {"changes", std::move(changes)},
            {"accepted_violations", accepted_violations(run.drifts)}};
}

Json drift_object(const DriftReport& report) {
    return {{"file", report.file},
            {"drifted", report.fails()},
            {"runs", json_array(report.runs, run_json)}};
}

Json resolved_json(const Report& report) {
    Json json = spec_json(report.spec);
    if (!report.origins.empty()) {
        Json& resolved = json["resolved"] = Json::object();
        for (const Origin& origin : report.origins) resolved[origin.field] = origin.from;
    }
    if (!report.ignored.empty()) json["ignored"] = report.ignored;
    return json;
}

Json subject_json(const Subject& subject) {
    Json json{{"origin", subject.origin}, {"context", subject.context}, {"seed", subject.seed}};
    if (!subject.layers.empty()) json["layers"] = subject.layers;
    if (!subject.layer_numbers.empty()) json["layer_numbers"] = subject.layer_numbers;
    if (!subject.digest.empty()) json["digest"] = subject.digest;
    if (!subject.notes.empty()) json["notes"] = subject.notes;
    if (subject.left_out > 0) json["left_out"] = subject.left_out;
    for (const Assumption& one : subject.read_as)
        json["read_as"][one.what] = {{"value", one.value}, {"from", one.from}};
    return json;
}

Json witness_json(const Witness& worst) {
    Json json{{"positions", json_array(worst.positions, json_position)}};
    if (worst.pair) json["pair"] = *worst.pair;
    json["got"] = json_number(worst.got);
    json["want"] = json_number(worst.want);
    return json;
}

// The first violation of a claim, as a step between two positions.
Json step_json(const Witness& step) {
    Json json{{"from", json_position(step.positions.front())},
              {"to", json_position(step.positions.back())}};
    if (step.pair) json["pair"] = *step.pair;
    json["before"] = json_number(step.want);
    json["after"] = json_number(step.got);
    return json;
}

Json violations_json(const Violations& violations) {
    return {{"count", violations.count},
            {"first",
             {{"position", json_position(violations.first_position)},
              {"pair", violations.first_pair}}}};
}

Json finding_json(const Finding& finding) {
    Json json{{"check", finding.check},
              {"kind", to_string(finding.kind)},
              {"verdict", to_string(finding.verdict)},
              {"statement", finding.statement},
              {"source", finding.source},
              {"observed", json_number(finding.observed)},
              {"allowed", json_number(finding.allowed)}};
    if (finding.kind == Kind::claim)
        json["step"] = finding.worst ? step_json(*finding.worst) : Json(nullptr);
    else
        json["worst"] = finding.worst ? witness_json(*finding.worst) : Json(nullptr);
    json["samples"] = finding.samples;
    if (finding.violations) json["violations"] = violations_json(*finding.violations);
    for (const Field& field : finding.fields) json[field.name] = field_json(field.value);
    json["note"] = finding.note;
    return json;
}

Json explanation_json(const Explanation& one, const Report& report) {
    Json parameters = Json::object();
    for (const auto& [key, value] : one.parameters) parameters[key] = field_json(value);
    return {{"mistake", one.mistake},
            {"parameters", std::move(parameters)},
            {"what", one.what},
            {"before", json_number(one.before)},
            {"after", json_number(one.after)},
            {"together", mistakes_with(report, one)},
            {"equivalent", one.equivalent},
            {"also_fits", one.also_fits},
            {"advice", one.advice}};
}

// A dump has a diagnosis, a pipeline has none.
void add_diagnosis(Json& json, const Report& report) {
    if (!report.subject.pipeline.empty()) return;
    if (!report.identity.empty()) json["identity"] = report.identity;
    json["diagnosis"] = json_array(
        report.diagnosis, [&](const Explanation& one) { return explanation_json(one, report); });
    if (!report.observations.empty()) json["facts"] = report.observations;
}

Json summary_json(const Summary& summary, int exit_code) {
    return {{"holds", summary.holds},
            {"violated", summary.violated},
            {"not_applicable", summary.not_applicable},
            {"claims", {{"holds", summary.claims_hold}, {"violated", summary.claims_violated}}},
            {"exit_code", exit_code}};
}

std::string packed(std::span<const ErrorPlace> places) {
    constexpr std::uint32_t sine = 0x80000000, nowhere = std::numeric_limits<std::uint32_t>::max();
    std::string bytes;
    for (const double ErrorPlace::* part :
         {&ErrorPlace::position, &ErrorPlace::got, &ErrorPlace::want})
        for (const ErrorPlace& place : places) bytes += to_bytes(place.*part);
    for (const ErrorPlace& place : places)
        bytes += to_bytes(place.error < 0 ? nowhere : place.pair | (place.is_sine ? sine : 0));
    return base64_of(bytes);
}

std::string_view to_string(PositionScale scale) {
    if (scale == PositionScale::listed) return "listed";
    return scale == PositionScale::log ? "log" : "linear";
}

Json cells_json(const ErrorMap& errors) {
    if (errors.columns() == 0) return nullptr;
    const PositionParts& positions = errors.positions;
    return {{"scale", to_string(positions.scale)},
            {"first", json_number(positions.first)},
            {"last", json_number(positions.last)},
            {"edges", positions.edges},
            {"pairs", errors.pairs},
            {"pairs_per_row", errors.pairs_per_row},
            {"rows", errors.rows()},
            {"columns", errors.columns()},
            {"places", packed(errors.places)}};
}

Json failure_json(const Failure& failure) {
    return {{"name", failure.name},
            {"subject", failure.subject},
            {"reason", failure.reason},
            {"cause", failure.cause},
            {"reproduce", failure.again}};
}

// With the part of the subject, "k: …", unless all reports share the cause.
Json causes_json(const Results& results) {
    std::vector<std::vector<std::string>> all;
    for (const Report& report : results.reports) all.push_back(causes_of(report, results.required));
    std::vector<std::string> causes;
    for (std::size_t k = 0; k < all.size(); ++k)
        for (const std::string& cause : all[k]) {
            const auto has_it = [&](const auto& of) { return std::ranges::count(of, cause) > 0; };
            const std::string& part = results.reports[k].subject.layers;
            const std::string text =
                part.empty() || std::ranges::all_of(all, has_it) ? cause : part + ": " + cause;
            if (std::ranges::count(causes, text) == 0) causes.push_back(text);
        }
    return causes;
}

std::string packed(const std::vector<double>& numbers) { return base64_of(to_bytes(numbers)); }

std::vector<double> inv_freq_of(const Spec& spec) {
    validate(spec);
    return plan_frequencies(spec, exact_precision).inv_freq();
}

std::uint32_t passing_pairs(const Spec& spec) { return (spec.head_dim - spec.rotary_dim) / 2; }

Json config_json(const std::string& name, const Spec& spec, std::uint64_t context) {
    Spec unscaled = spec;
    unscaled.scaling = {};
    return {{"name", name},
            {"rope_type", spec.scaling.rope_type},
            {"seq_len", or_null(spec.seq_len)},
            {"rope_theta", spec.rope_theta},
            {"context", context},
            {"passing", passing_pairs(spec)},
            {"inv_freq", packed(inv_freq_of(spec))},
            {"unscaled", packed(inv_freq_of(unscaled))},
            {"axis", axis_of_pairs(spec.axes, spec.pairs())}};
}

// A parameter with other values on the page: `count` of them from first to last, in equal ratios.
struct Varied {
    std::string_view flag;
    double first, last;
    std::size_t count;
    bool is_length = false;
};

constexpr Varied varied[] = {{"--base", 10, 1e9, 97},
                             {"--rope factor", 1, 128, 29},
                             {"--max-position", 256, 0x1p20, 13, true}};

// Fewer values for many pairs. The config's value is among them.
std::vector<double> values_of(const Varied& one, double own, std::size_t pairs) {
    const std::size_t count = std::min(one.count, std::max<std::size_t>(5, 8192 / pairs));
    std::vector<double> values = {own};
    for (std::size_t k = 0; k < count; ++k) {
        const double share = static_cast<double>(k) / static_cast<double>(count - 1);
        const double value = one.first * std::pow(one.last / one.first, share);
        const double unit = std::pow(10.0, std::floor(std::log10(value)) - 2);  // three digits
        values.push_back(one.is_length ? std::round(value) : std::round(value / unit) * unit);
    }
    std::ranges::sort(values);
    const auto rest = std::ranges::unique(values);
    values.erase(rest.begin(), rest.end());
    return values;
}

// Null if the frequencies do not depend on the parameter.
Json variation_json(const Varied& one, const Spec& spec) {
    constexpr std::uint32_t most_pairs = 2048;  // for a page of a megabyte
    const SpecFlag& flag = find_spec_flag(one.flag);
    const Json own = setting_value(spec, flag.field);
    if (own.is_null() || spec.pairs() > most_pairs) return nullptr;
    const std::vector<double> as_asked = inv_freq_of(spec);
    std::vector<double> values, all;
    bool is_used = false;
    for (const double value : values_of(one, own, spec.pairs())) {
        Spec changed = spec;
        try {
            flag.set(changed, {flag.name, setting_text(value)});
            const std::vector<double> inv_freq = inv_freq_of(changed);
            is_used = is_used || inv_freq != as_asked;
            all.insert(all.end(), inv_freq.begin(), inv_freq.end());
            values.push_back(value);
        } catch (const InputError&) {
            continue;  // not a valid value for this rope_type
        }
    }
    if (!is_used) return nullptr;
    return {{"name", flag.field},
            {"own", own.get<double>()},
            {"values", values},
            {"inv_freq", packed(all)}};
}

// He & Xu's comparison of base θ and scaled θ: the distance at which each reading of (c3) fails.
Json scaled_json(const Spec& spec) {
    const std::uint64_t n = spec.max_position_embeddings, searched_to = 8 * n;
    Json kinds = Json::array();
    for (const char* type : {"default", "he_xu"}) {
        Spec of_type = spec;
        of_type.axes = {};
        of_type.scaling = {};
        of_type.scaling.rope_type = type;
        const FrequencyPlan plan = plan_frequencies(of_type, exact_precision);
        Json fails = Json::object();
        for (const auto& [id, quantity] : pair_readings) {
            const auto first = first_violation(plan, quantity, searched_to);
            fails[std::string(id)] =
                first ? Json{{"distance", first->distance}, {"pair", first->pair}} : Json(nullptr);
        }
        kinds.push_back({{"inv_freq", packed(plan.inv_freq())}, {"fails", std::move(fails)}});
    }
    return {{"n", n},
            {"searched_to", searched_to},
            {"passing", passing_pairs(spec)},
            {"kinds", std::move(kinds)}};
}

// A model whose layers differ occurs once per base.
std::vector<std::string> names_of(std::span<const NamedModel> models) {
    std::vector<std::string> names;
    for (const NamedModel& model : models)
        names.push_back(std::ranges::count(models, model.name, &NamedModel::name) == 1
                            ? model.name
                            : model.name + ", base " +
                                  grouped(static_cast<std::uint64_t>(model.spec.rope_theta)));
    return names;
}

Json page_object(const Explorer& explorer) {
    Json configs = Json::array(), variations = Json::array();
    const auto context_of = [&](const Spec& spec) {
        return explorer.context == 0 ? spec.max_position_embeddings : explorer.context;
    };
    const auto with_table = [&](const Spec& spec) { return with_table_of(spec, context_of(spec)); };
    for (const auto& [name, spec] : explorer.specs)
        configs.push_back(
            config_json(name.empty() ? "as asked" : name, with_table(spec), context_of(spec)));
    const Spec& first = explorer.specs.front().spec;
    const Spec asked = with_table(first);
    const std::vector<std::string> names = names_of(explorer.models);
    for (std::size_t k = 0; k < names.size(); ++k) {
        const Spec& model = explorer.models[k].spec;
        const std::uint64_t own = model.max_position_embeddings;
        configs.push_back(config_json(names[k], with_table_of(model, own), own));
    }
    for (const Varied& one : varied)
        if (Json variation = variation_json(one, asked); !variation.is_null())
            variations.push_back(std::move(variation));
    return {{"tool", json_head("")["tool"]},
            {"configs", std::move(configs)},
            {"variations", std::move(variations)},
            {"scaled", scaled_json(first)}};
}

}  // namespace

Json report_object(const Report& report, int exit_code) {
    Json json = json_head("rope-check-report/1");
    json.update({{"passed", exit_code == 0},
                 {"spec", resolved_json(report)},
                 {"subject", subject_json(report.subject)}});
    add_diagnosis(json, report);
    json["findings"] = json_array(report.findings, finding_json);
    json["summary"] = summary_json(summarize(report), exit_code);
    json["plan"] = {{"attention_factor", json_number(report.attention_factor)},
                    {"inv_freq", json_array(report.inv_freq, json_number)}};
    return json;
}

std::string results_json(const Results& results) {
    if (results.reports.empty())
        return json_document("rope-check-drift/1", drift_object(*results.drift));
    const int code = exit_code(results);
    const auto own = [&](const Report& one) {
        return report_object(one, exit_code(one, results.required));
    };
    Json json{{"schema", "rope-check-reports/1"},
              {"passed", code == 0},
              {"reports", json_array(results.reports, own)}};
    if (results.reports.size() == 1) json = report_object(results.reports[0], code);
    if (!results.lint.empty()) json["lint"] = lint_json(results.lint);
    if (results.drift) json["baseline"] = drift_object(*results.drift);
    return json_text(json, 2) + "\n";
}

std::string page_json(const Explorer& explorer) { return json_text(page_object(explorer)); }

std::string page_json(const Explorer& explorer, std::span<const DrawnReport> subjects,
                      const Results& results) {
    Json json = page_object(explorer);
    json["headline"] = headline(results);
    json["causes"] = causes_json(results);
    json["exit_code"] = exit_code(results);
    json["failures"] = json_array(failures(results), failure_json);
    json["lint"] = lint_json(results.lint);
    Json& all = json["subjects"] = Json::array();
    for (const DrawnReport& subject : subjects) {
        const Report& report = subject.report;
        const auto effect = [&](const Explanation& one) { return effect_text(one, report); };
        all.push_back({{"label", subject.label},
                       {"parameters", parameters(report)},
                       {"accuracy", accuracy_text(report, true)},
                       {"diagnosis", diagnosis_title(report)},
                       {"effects", json_array(report.diagnosis, effect)},
                       {"report", report_object(report, exit_code(report, results.required))},
                       {"cells", cells_json(subject.cells)}});
    }
    return json_text(std::move(json));
}

}  // namespace rope::io
