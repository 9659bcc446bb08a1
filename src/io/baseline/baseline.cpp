#include "io/baseline/baseline.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "io/file/read_file.hpp"
#include "io/json/json_text.hpp"
#include "rope/report/metric.hpp"

namespace rope::io {
namespace {

using SortedJson = nlohmann::json;

// A place in the file, for messages: "b.json: runs[0].metrics.K".
class Place {
  public:
    explicit Place(std::string name) : name_(std::move(name)) {}
    Place in(const std::string& key) const { return Place(name_ + ": " + key); }

    [[noreturn]] void refuse(const std::string& what) const {
        throw InputError(name_ + ": " + what);
    }

    void expect_object(const SortedJson& json, std::initializer_list<const char*> keys) const {
        if (!json.is_object()) refuse("is not an object");
        for (const auto& [key, value] : json.items())
            if (std::ranges::none_of(keys, [&](const char* k) { return key == k; }))
                refuse("unknown key '" + printable(key) + "'");
    }
    const SortedJson& member(const SortedJson& json, const char* key) const {
        if (!json.contains(key)) refuse(std::string("lacks '") + key + "'");
        return json[key];
    }
    std::string text(const SortedJson& json, const char* key) const {
        const SortedJson& value = member(json, key);
        if (!value.is_string()) refuse(std::string("'") + key + "' is not text");
        return value;
    }
    double tolerance(const SortedJson& json, const char* key) const {
        const SortedJson& value = member(json, key);
        if (!value.is_number() || !(value.get<double>() >= 0))
            refuse(std::string("'") + key + "' is not a number ≥ 0");
        return value;
    }

  private:
    std::string name_;
};

MetricClass class_of(const SortedJson& json, const Place& place) {
    const std::string name = place.text(json, "class");
    for (const MetricClass kind :
         {MetricClass::exact, MetricClass::bound, MetricClass::band, MetricClass::report})
        if (name == to_string(kind)) return kind;
    place.refuse("class '" + printable(name) + "' is not one of exact, bound, band, report");
}

FieldValue value_of(const SortedJson& json, const Place& place) {
    const SortedJson& value = place.member(json, "value");
    if (value.is_null()) return {};
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (value.is_number()) return value.get<double>();
    if (!value.is_string()) place.refuse("'value' is neither a number, text nor null");
    std::string text = value;
    if (text == "nan" || text == "inf" || text == "-inf")
        place.refuse("'value' is " + text + ", which no run can match");
    return text;
}

bool has_tolerance(const Metric& metric) {
    return metric.kind == MetricClass::bound || metric.kind == MetricClass::band;
}

Metric metric_of(const std::string& name, const SortedJson& json, const Place& place) {
    place.expect_object(json, {"class", "value", "basis", "atol", "rtol", "spread"});
    Metric metric{.name = name,
                  .kind = class_of(json, place),
                  .value = value_of(json, place),
                  .basis = place.text(json, "basis")};
    if (!has_tolerance(metric) || !number_of(metric.value)) {
        if (metric.kind == MetricClass::band) place.refuse("a band needs a number");
        return metric;
    }
    metric.atol = place.tolerance(json, "atol");
    metric.rtol = place.tolerance(json, "rtol");
    metric.spread = place.tolerance(json, "spread");
    return metric;
}

BaselineRun run_of(const SortedJson& json, const Place& place) {
    place.expect_object(json, {"command", "metrics"});
    BaselineRun run;
    const SortedJson& command = place.member(json, "command");
    if (!command.is_array() || command.empty()) place.refuse("'command' is not a list of words");
    for (const SortedJson& word : command) {
        if (!word.is_string()) place.refuse("'command' contains something other than text");
        run.command.push_back(word);
    }
    const SortedJson& metrics = place.member(json, "metrics");
    if (!metrics.is_object() || metrics.empty()) place.refuse("'metrics' is empty");
    // the library sorts keys by their bytes, as metrics_of does
    for (const auto& [name, metric] : metrics.items())
        run.metrics.push_back(metric_of(name, metric, place.in(printable(name))));
    return run;
}

// The texts of a provenance, which also has a seed.
constexpr std::pair<const char*, std::string Provenance::*> texts[] = {
    {"tool", &Provenance::tool},
    {"commit", &Provenance::commit},
    {"compiler", &Provenance::compiler},
    {"libm", &Provenance::libm},
    {"architecture", &Provenance::architecture},
    {"instructions", &Provenance::instructions},
    {"reason", &Provenance::reason}};

Provenance provenance_of(const SortedJson& json, const Place& place) {
    place.expect_object(json, {"tool", "commit", "compiler", "libm", "architecture", "instructions",
                               "reason", "seed"});
    Provenance made;
    for (const auto& [key, text] : texts) made.*text = place.text(json, key);
    if (made.reason.empty()) place.refuse("'reason' is empty");
    const SortedJson& seed = place.member(json, "seed");
    if (!seed.is_number_unsigned()) place.refuse("'seed' is not a whole number");
    made.seed = seed;
    return made;
}

}  // namespace

Baseline parse_baseline(std::string_view text, const std::string& name) {
    const SortedJson json = parse_json(text, name);
    const Place place(name);
    if (!json.is_object() || !json.contains("schema"))
        place.refuse(
            "is not a baseline, which rope-check baseline record writes: it has no 'schema'");
    if (json["schema"] != baseline_schema)
        throw InputError(name + ": its schema", printable(json_text(json["schema"])),
                         "\"" + std::string(baseline_schema) + "\"");
    place.expect_object(json, {"schema", "provenance", "runs"});
    Baseline baseline{
        .provenance = provenance_of(place.member(json, "provenance"), place.in("provenance")),
        .runs = {}};
    const SortedJson& runs = place.member(json, "runs");
    if (!runs.is_array() || runs.empty()) place.refuse("'runs' is empty");
    for (std::size_t i = 0; i < runs.size(); ++i)
        baseline.runs.push_back(run_of(runs[i], place.in("runs[" + decimal(i) + "]")));
    return baseline;
}

Baseline read_baseline(const std::filesystem::path& path) {
    return parse_baseline(as_text(read_file(path, max_json_bytes)), printable(path.native()));
}

namespace {

using SortedJson = nlohmann::json;  // its keys are sorted

std::string text_of(const SortedJson& json) { return json_text(json); }

SortedJson value_json(const Metric& metric) {
    const auto number = number_of(metric.value);
    if (number && !std::isfinite(*number))
        throw InputError(printable(metric.name) +
                         " is not a finite number; a baseline cannot record it");
    return field_json(metric.value);
}

std::string metric_line(const Metric& metric) {
    SortedJson json{
        {"class", to_string(metric.kind)}, {"value", value_json(metric)}, {"basis", metric.basis}};
    if (has_tolerance(metric) && number_of(metric.value)) {
        json["atol"] = metric.atol;
        json["rtol"] = metric.rtol;
        json["spread"] = metric.spread;
    }
    return "        " + text_of(metric.name) + ": " + text_of(json);
}

std::string run_text(const BaselineRun& run) {
    for (const std::string& word : run.command)
        if (!is_utf8(word))
            throw InputError("'" + printable(word) +
                             "' is not UTF-8, and so a baseline cannot hold it; rename the file");
    return "    {\n      \"command\": " + text_of(run.command) + ",\n      \"metrics\": {\n" +
           join(run.metrics, metric_line, ",\n") + "\n      }\n    }";
}

std::string provenance_text(const Provenance& made) {
    SortedJson json{{"seed", made.seed}};
    for (const auto& [key, text] : texts) json[key] = made.*text;
    std::string lines;
    for (const auto& [key, value] : json.items())
        lines += (lines.empty() ? "" : ",\n") + ("    " + text_of(key) + ": " + text_of(value));
    return "{\n" + lines + "\n  }";
}

}  // namespace

std::string baseline_json(const Baseline& baseline) {
    return "{\n  \"provenance\": " + provenance_text(baseline.provenance) + ",\n  \"runs\": [\n" +
           join(baseline.runs, run_text, ",\n") +
           "\n  ],\n  \"schema\": " + text_of(baseline_schema) + "\n}\n";
}

}  // namespace rope::io
