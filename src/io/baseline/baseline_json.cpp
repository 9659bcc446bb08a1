#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/printable.hpp"
#include "base/utf8.hpp"
#include "io/baseline/baseline.hpp"
#include "io/json/json_text.hpp"
#include "rope/report/metric.hpp"

namespace rope::io {
namespace {

using SortedJson = nlohmann::json;  // its keys are sorted

std::string text_of(const SortedJson& json) { return json_text(json); }

SortedJson value_json(const Metric& metric) {
    struct Visitor {
        SortedJson operator()(std::monostate) const { return nullptr; }
        SortedJson operator()(std::uint64_t n) const { return n; }
        SortedJson operator()(double x) const { return x; }
        SortedJson operator()(const std::string& text) const { return text; }
    };
    const auto number = number_of(metric.value);
    if (number && !std::isfinite(*number))
        throw InputError(printable(metric.name) +
                         " is not a finite number; a baseline cannot record it");
    return std::visit(Visitor{}, metric.value);
}

bool has_tolerance(const Metric& metric) {
    return metric.kind == MetricClass::bound || metric.kind == MetricClass::band;
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
    std::string lines;
    for (const Metric& metric : run.metrics)
        lines += (lines.empty() ? "" : ",\n") + metric_line(metric);
    return "    {\n      \"command\": " + text_of(run.command) + ",\n      \"metrics\": {\n" +
           lines + "\n      }\n    }";
}

std::string provenance_text(const Provenance& made) {
    const SortedJson json{{"tool", made.tool},
                          {"commit", made.commit},
                          {"compiler", made.compiler},
                          {"libm", made.libm},
                          {"architecture", made.architecture},
                          {"instructions", made.instructions},
                          {"reason", made.reason},
                          {"seed", made.seed}};
    std::string lines;
    for (const auto& [key, value] : json.items())
        lines += (lines.empty() ? "" : ",\n") + ("    " + text_of(key) + ": " + text_of(value));
    return "{\n" + lines + "\n  }";
}

}  // namespace

std::string baseline_json(const Baseline& baseline) {
    std::string runs;
    for (const BaselineRun& run : baseline.runs)
        runs += (runs.empty() ? "" : ",\n") + run_text(run);
    return "{\n  \"provenance\": " + provenance_text(baseline.provenance) + ",\n  \"runs\": [\n" +
           runs + "\n  ],\n  \"schema\": " + text_of(baseline_schema) + "\n}\n";
}

}  // namespace rope::io
