#include "io/render/baseline.hpp"

#include <nlohmann/json.hpp>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/utf8.hpp"
#include "io/system/read_file.hpp"
#include "io/text/json_text.hpp"
#include "io/text/rows.hpp"

namespace rope::io {
namespace {

using SortedJson = nlohmann::json;  // its keys are sorted

FieldValue value_of(const Row& row) {
    const SortedJson& value = row.at("value");
    if (value.is_null()) return {};
    if (value.is_number_unsigned()) return value.get<std::uint64_t>();
    if (value.is_number()) return value.get<double>();
    std::string text = row.text("value");
    if (text == "nan" || text == "inf" || text == "-inf")
        throw InputError(row.where("value") + " is " + text + ", which no run can match");
    return text;
}

double tolerance(const Row& row, const char* key) {
    if (!row.has(key)) return 0;
    const SortedJson& value = row.at(key);
    if (!value.is_number() || !(value.get<double>() >= 0))
        throw InputError(row.where(key), json_text(value), "a number ≥ 0");
    return value;
}

bool has_tolerance(const Metric& metric) {
    return metric.kind == MetricClass::bound || metric.kind == MetricClass::band;
}

Metric metric_of(const std::string& name, const Row& row) {
    row.has_only("class value basis atol rtol spread");
    using enum MetricClass;
    constexpr MetricClass kinds[] = {exact, bound, band, report};
    const std::string kind = row.choice("exact bound band report", "class");
    Metric metric{.name = name,
                  .kind = *std::ranges::find(kinds, kind, [](auto one) { return to_string(one); }),
                  .value = value_of(row),
                  .basis = row.text("basis")};
    for (const char* key : {"atol", "rtol"})
        if (!has_tolerance(metric) && row.has(key))
            throw InputError(row.where(key) + " has no effect: class is " + kind +
                             "; set it to band or bound");
    if (!has_tolerance(metric) || !number_of(metric.value)) {
        if (metric.kind == MetricClass::band)
            throw InputError(row.where("value"), json_text(row.at("value")), "a number for a band");
        return metric;
    }
    metric.atol = tolerance(row, "atol");
    metric.rtol = tolerance(row, "rtol");
    metric.spread = tolerance(row, "spread");
    return metric;
}

BaselineRun run_of(const Row& row) {
    row.has_only("command metrics");
    BaselineRun run{row.texts("command"), {}};
    if (run.command.empty()) throw InputError(row.where("command"), "empty", "a list of words");
    const Row metrics = row.inside("metrics");
    // the library sorts keys by their bytes, as metrics_of does
    for (const auto& [name, metric] : metrics.object().items())
        run.metrics.push_back(metric_of(name, Row(metric, row.where(printable(name)))));
    if (run.metrics.empty()) throw InputError(row.where("metrics"), "empty", "an object");
    return run;
}

Provenance provenance_of(const Row& row) {
    row.has_only(join(provenance_keys, {}, " ") + " seed");
    Provenance made;
    for (const char* key : provenance_keys) made.texts[key] = row.text(key);
    if (made.texts["reason"].empty()) throw InputError(row.where("reason"), "empty", "a text");
    if (!row.at("seed").is_number_unsigned())
        throw InputError(row.where("seed"), json_text(row.at("seed")), "a whole number");
    made.seed = row.at("seed");
    return made;
}

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
    SortedJson json = made.texts;
    json["seed"] = made.seed;
    const auto line = [](const auto& item) {
        return "    " + text_of(item.key()) + ": " + text_of(item.value());
    };
    return "{\n" + join(json.items(), line, ",\n") + "\n  }";
}

}  // namespace

Baseline parse_baseline(std::string_view text, const std::string& name) {
    const SortedJson json = parse_json(text, name);
    if (!json.is_object() || !json.contains("schema"))
        throw InputError(
            name +
            ": is not a baseline, which rope-check baseline record writes: it has no 'schema'; "
            "one is written by rope-check baseline record rope-baseline.json config.json --reason "
            "first");
    if (json["schema"] != baseline_schema)
        throw InputError(name + ": its schema", printable(json_text(json["schema"])),
                         "\"" + std::string(baseline_schema) + "\"");
    const Row row(json, name);
    row.has_only("schema provenance runs");
    Baseline baseline{.provenance = provenance_of(row.inside("provenance")), .runs = {}};
    const SortedJson& runs = row.at("runs");
    if (!runs.is_array() || runs.empty())
        throw InputError(row.where("runs"), json_text(runs), "a list of runs");
    for (std::size_t i = 0; i < runs.size(); ++i)
        baseline.runs.push_back(run_of({runs[i], row.where("runs[" + decimal(i) + "]")}));
    return baseline;
}

Baseline read_baseline(const std::filesystem::path& path) {
    return parse_baseline(as_text(read_file(path, max_json_bytes)), printable(path.native()));
}

std::string baseline_json(const Baseline& baseline) {
    return "{\n  \"provenance\": " + provenance_text(baseline.provenance) + ",\n  \"runs\": [\n" +
           join(baseline.runs, run_text, ",\n") +
           "\n  ],\n  \"schema\": " + text_of(baseline_schema) + "\n}\n";
}

}  // namespace rope::io
