
#include "io/json/json_text.hpp"
#include "io/lint/lint.hpp"
#include "io/render/results.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

Json drift_entry(const Drift& drift, bool strict) {
    Json json{{"metric", drift.recorded.name},
              {"class", to_string(drift.recorded.kind)},
              {"change", to_string(drift.change)},
              {"fails", fails(drift, strict)}};
    if (drift.change != Change::added) json["recorded"] = field_json(drift.recorded.value);
    if (drift.change != Change::vanished) json["now"] = field_json(drift.now);
    if (drift.difference) {
        json["difference"] = json_number(*drift.difference);
        json["allowed"] = json_number(drift.allowed);
    }
    return json;
}

Json run_json(const RunDrift& run, bool strict) {
    Json changes = Json::array();
    for (const Drift& drift : run.drifts)
        if (drift.change != Change::same) changes.push_back(drift_entry(drift, strict));
    return {{"command", run.command},
            {"metrics", run.drifts.size()},
            {"changes", std::move(changes)},
            {"accepted_violations", accepted_violations(run.drifts)}};
}

Json drift_object(const DriftReport& report) {
    const auto run = [&](const RunDrift& one) { return run_json(one, report.strict); };
    return {
        {"file", report.file}, {"drifted", report.fails()}, {"runs", json_array(report.runs, run)}};
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

Json explanation_json(const Explanation& one) {
    Json parameters = Json::object();
    for (const auto& [key, value] : one.parameters) parameters[key] = field_json(value);
    return {{"mistake", one.mistake},
            {"parameters", std::move(parameters)},
            {"what", one.what},
            {"before", json_number(one.before)},
            {"after", json_number(one.after)},
            {"together", one.together},
            {"equivalent", one.equivalent},
            {"also_fits", one.also_fits},
            {"advice", one.advice}};
}

// A dump has a diagnosis, a pipeline has none.
void add_diagnosis(Json& json, const Report& report) {
    if (!report.subject.pipeline.empty()) return;
    if (!report.identity.empty()) json["identity"] = report.identity;
    json["diagnosis"] = json_array(report.diagnosis, explanation_json);
    if (!report.observations.empty()) json["facts"] = report.observations;
}

Json summary_json(const Summary& summary, int exit_code) {
    return {{"holds", summary.holds},
            {"violated", summary.violated},
            {"not_applicable", summary.not_applicable},
            {"claims", {{"holds", summary.claims_hold}, {"violated", summary.claims_violated}}},
            {"exit_code", exit_code}};
}

}  // namespace

nlohmann::ordered_json report_object(const Report& report, int exit_code) {
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
    const auto object = [&](const Report& one) { return report_object(one, code); };
    Json json{{"schema", "rope-check-reports/1"},
              {"passed", code == 0},
              {"reports", json_array(results.reports, object)}};
    if (results.reports.size() == 1) json = object(results.reports[0]);
    if (!results.lint.empty()) json["lint"] = lint_json(results.lint);
    if (results.drift) json["baseline"] = drift_object(*results.drift);
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
