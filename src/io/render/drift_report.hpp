// The drift of runs from their baseline, as text and JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "rope/report/metric.hpp"

namespace rope::io {

struct RunDrift {
    std::vector<std::string> command;  // as in the baseline
    std::vector<Drift> drifts;
};

// Of all runs against one file.
struct DriftReport {
    std::string file;
    std::vector<RunDrift> runs;
    bool strict = false;  // a metric that the baseline lacks fails

    bool fails() const;
};

// What moved: old, new, difference, allowed, times over; notes; then one line that counts. Quiet
// leaves the notes out, verbose shows every metric.
std::string drift_text(const DriftReport& report, bool quiet, bool verbose);

// The last line alone, without its end: "no drift: 131 metrics as in b.json".
std::string drift_line(const DriftReport& report);

// "recorded as violated: table-accuracy, pair-norm"; empty where there are none.
std::string accepted_line(const DriftReport& report);

inline constexpr std::string_view drift_schema = "rope-check-drift/1";
std::string drift_json(const DriftReport& report, std::string_view version);
// The same without schema and tool, to go into a report.
nlohmann::ordered_json drift_object(const DriftReport& report);

// "table-accuracy/observed was 2e-08, now 3e-08: difference 1e-08, allowed 0"
std::string drift_sentence(const Drift& drift);

// "; atol 1e-08 would have passed", of a number that has a tolerance; else nothing.
std::string passing_tolerance(const Drift& drift);

}  // namespace rope::io
