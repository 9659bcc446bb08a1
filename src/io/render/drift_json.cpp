#include "io/json/json_field.hpp"
#include "io/json/json_text.hpp"
#include "io/render/drift_report.hpp"

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

}  // namespace

nlohmann::ordered_json drift_object(const DriftReport& report) {
    Json runs = Json::array();
    for (const RunDrift& run : report.runs) runs.push_back(run_json(run, report.strict));
    return {{"file", report.file}, {"drifted", report.fails()}, {"runs", std::move(runs)}};
}

std::string drift_json(const DriftReport& report, std::string_view version) {
    Json json{{"schema", drift_schema}, {"tool", {{"name", "rope-check"}, {"version", version}}}};
    json.update(drift_object(report));
    return json_text(json, 2) + "\n";
}

}  // namespace rope::io
