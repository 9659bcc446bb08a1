#include "io/report_json.hpp"

#include <optional>
#include <vector>

#include "io/json_number.hpp"
#include "io/scaling_keys.hpp"

namespace rope::io {
namespace {

using Json = nlohmann::ordered_json;

template <typename T>
void put_if(Json& json, const char* key, const std::optional<T>& value) {
    if (value) json[key] = *value;
}

template <typename T>
Json json_of(const std::optional<T>& value) {
    return *value;
}
Json json_of(const std::vector<double>& list) { return list; }

Json rope_parameters_json(const Spec& spec) {
    const Scaling& scaling = spec.scaling;
    Json json{{"rope_type", scaling.rope_type}, {"rope_theta", json_number(spec.rope_theta)}};
    for (const ScalingKey& key : scaling_keys())
        std::visit(
            [&](auto member) {
                if (is_set(scaling.*member)) json[key.name] = json_of(scaling.*member);
            },
            key.member);
    return json;
}

Json spec_json(const Report& report) {
    const Spec& spec = report.spec;
    Json json{{"head_dim", spec.head_dim},
              {"rotary_dim", spec.rotary_dim},
              {"layout", to_string(spec.layout)},
              {"max_position_embeddings", spec.max_position_embeddings}};
    put_if(json, "seq_len", spec.seq_len);
    if (spec.axes.scheme != AxisScheme::single) json["axes"] = to_string(spec.axes.scheme);
    if (!spec.axes.sections.empty()) json["mrope_section"] = spec.axes.sections;
    json["rope_parameters"] = rope_parameters_json(spec);
    if (!report.origins.empty()) {
        Json& resolved = json["resolved"] = Json::object();
        for (const Origin& origin : report.origins) resolved[origin.field] = origin.from;
    }
    if (!report.ignored.empty()) json["ignored"] = report.ignored;
    return json;
}

Json plan_json(const Report& report) {
    Json inv_freq = Json::array();
    for (const double frequency : report.inv_freq) inv_freq.push_back(json_number(frequency));
    return {{"attention_factor", json_number(report.attention_factor)},
            {"inv_freq", std::move(inv_freq)}};
}

Json subject_json(const Subject& subject) {
    Json json{{"origin", subject.origin}, {"context", subject.context}, {"seed", subject.seed}};
    if (!subject.layers.empty()) json["layers"] = subject.layers;
    if (!subject.digest.empty()) json["digest"] = subject.digest;
    return json;
}

Json witness_json(const Witness& worst) {
    Json json{{"positions", worst.positions}};
    put_if(json, "pair", worst.pair);
    json["got"] = json_number(worst.got);
    json["want"] = json_number(worst.want);
    return json;
}

Json violations_json(const Violations& violations) {
    return {{"count", violations.count},
            {"first", {{"position", violations.first_position}, {"pair", violations.first_pair}}}};
}

Json field_json(const FieldValue& value) {
    struct Visitor {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(std::uint64_t n) const { return n; }
        Json operator()(double x) const { return json_number(x); }
        Json operator()(const std::string& text) const { return text; }
    };
    return std::visit(Visitor{}, value);
}

Json finding_json(const Finding& finding) {
    Json json{{"check", finding.check},
              {"kind", to_string(finding.kind)},
              {"verdict", to_string(finding.verdict)},
              {"statement", finding.statement},
              {"source", finding.source},
              {"observed", json_number(finding.observed)},
              {"allowed", json_number(finding.allowed)}};
    json["worst"] = finding.worst ? witness_json(*finding.worst) : Json(nullptr);
    json["samples"] = finding.samples;
    if (finding.violations) json["violations"] = violations_json(*finding.violations);
    for (const auto& [key, value] : finding.fields) json[key] = field_json(value);
    json["note"] = finding.note;
    return json;
}

Json summary_json(const Summary& summary, int exit_code) {
    return {{"holds", summary.holds},
            {"violated", summary.violated},
            {"not_applicable", summary.not_applicable},
            {"claims", {{"holds", summary.claims_hold}, {"violated", summary.claims_violated}}},
            {"exit_code", exit_code}};
}

Json report_object(const Report& report, std::string_view version, int exit_code) {
    Json findings = Json::array();
    for (const Finding& finding : report.findings) findings.push_back(finding_json(finding));
    return {{"schema", report_schema},
            {"tool", {{"name", "rope-check"}, {"version", version}}},
            {"spec", spec_json(report)},
            {"plan", plan_json(report)},
            {"subject", subject_json(report.subject)},
            {"findings", std::move(findings)},
            {"summary", summary_json(summarize(report), exit_code)}};
}

std::string text_of(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

std::string report_json(const Report& report, std::string_view version, int exit_code,
                        const std::optional<DriftReport>& drift) {
    Json json = report_object(report, version, exit_code);
    if (drift) json["baseline"] = drift_object(*drift);
    return text_of(json);
}

std::string reports_json(std::span<const Report> reports, std::string_view version, int exit_code,
                         const std::optional<DriftReport>& drift) {
    Json all = Json::array();
    for (const Report& report : reports) all.push_back(report_object(report, version, exit_code));
    Json json{{"schema", "rope-check-reports/1"}, {"reports", std::move(all)}};
    if (drift) json["baseline"] = drift_object(*drift);
    return text_of(json);
}

}  // namespace rope::io
