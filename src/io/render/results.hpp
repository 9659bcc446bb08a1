// The result of one command for every output format: reports, drift from a baseline, an HTML page.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/lint/lint.hpp"
#include "io/render/report_text.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/report/metric.hpp"
#include "rope/report/report.hpp"

namespace rope::io {

struct RunDrift {
    std::vector<std::string> command;  // as recorded in the baseline
    std::vector<Drift> drifts;
};

// The drift of all runs in one baseline file.
struct DriftReport {
    std::string file;
    std::vector<RunDrift> runs;
    bool strict = false;  // a metric that the baseline lacks is a failure

    bool fails() const;
};

// Returns the drifted metrics with old and new value, difference, tolerance and their ratio, then
// notes, then a line with counts. `quiet` leaves out the notes; `verbose` adds every metric.
std::string drift_text(const DriftReport& report, bool quiet, bool verbose);

// Returns the last line of drift_text() without its newline: "no drift: 131 metrics as in b.json".
std::string drift_line(const DriftReport& report);

// "recorded as violated: table-accuracy, pair-norm"; empty if there are none.
std::string accepted_line(const DriftReport& report);

// "table-accuracy/observed was 2e-08, now 3e-08: difference 1e-08, allowed 0"
std::string drift_sentence(const Drift& drift);

// "; atol 1e-08 would have passed" for a number with a tolerance; else empty.
std::string passing_tolerance(const Drift& drift);

// Returns the report as JSON with schema rope-check-report/1. Keys have a fixed order; NaN and
// infinities are the strings "nan", "inf" and "-inf"; bytes that are not UTF-8 are written as \xff.
nlohmann::ordered_json report_object(const Report& report, int exit_code);

struct Results {
    std::vector<Report> reports = {};        // empty if only a baseline is checked
    std::optional<DriftReport> drift = {};   // from the baseline, if one was checked
    std::vector<std::string> required = {};  // claims that decide the exit code
    std::vector<Lint> lint = {};             // warnings about the configs
    bool strict = false;                     // a lint warning is a failure
    TextOptions text = {};
};

// Returns 1 if a check or required claim is violated, a metric drifted or, if `strict`, lint warns;
// 2 if nothing was checked; else 0.
int exit_code(const Results& results);

// Returns the requested checks, grouped by the reason why each does not count, if no check counts;
// else empty. With a baseline, claims count.
std::string nothing_checked(const Results& results);

// A failure as CI shows it: a stable name and a reason on one line.
struct Failure {
    std::string name;        // "table-accuracy", "k: table-accuracy", "claim c3-R1", "drift"
    std::string subject;     // "dump.npz:k", "head_dim=128 rope_theta=10000 positions<4096"
    std::string reason;      // the explanations, else the note, else the numbers
    std::string again;       // the command that reproduces it
    std::string cause = {};  // the usual cause of each explanation, and how to fix it
    std::string place = {};  // "config.json: rope_theta", if a file has the key
};
// Returns the usual causes of the diagnosed mistakes; empty without a diagnosis.
std::string usual_cause(const Report& report);
// Returns Failure::reason of one finding.
std::string reason_of(const Finding& finding, const Report& report);
std::vector<Failure> failures(const Results& results);

// Returns one line for each dump whose axes may have been read wrongly.
std::string doubt_lines(const Results& results);

// "9 checks passed · 8,388,608 values · …", one line for all reports and the drift.
std::string headline(const Results& results);

// Returns one report with "lint" and "baseline" if there are any; for several reports {"schema":
// "rope-check-reports/1", "reports": […]}; for a baseline only its drift.
std::string results_json(const Results& results);

// Returns JUnit XML in the dialect of Jenkins' xunit2 schema: a suite for each report and one for
// each baseline run. Test names contain no measured value; a violated claim that is not required is
// skipped.
std::string junit_xml(const Results& results);

// Returns GitHub workflow commands: at most 9 errors, one for the rest, then the headline.
std::string github_text(const Results& results);

// Returns a GitHub step summary of at most 900,000 bytes: failures, then all checks and drift.
std::string markdown_text(const Results& results);

struct NamedModel {
    std::string_view name;
    Spec spec;
};

// The Spec that the page starts with, and others to choose from.
struct Explorer {
    Spec spec;
    std::vector<NamedModel> models;
    std::uint64_t context = 0;  // 0: the Spec's max_position_embeddings
    std::string name = {};      // name of the Spec
};

// Returns the explorer's data on one line, for the page's script of the same version. Frequencies
// are inv_freq in base64, little-endian float64, for the Spec, the models, and the Spec with other
// values of each parameter: the page itself computes no RoPE formula.
std::string page_json(const Explorer& explorer);

// The same with each subject's report, accuracy, effects of its mistakes and cells. "places" of n
// cells is base64, little-endian: n float64 positions, n float64 got, n float64 want, then n uint32
// with the pair, | 2³¹ for a sine, or 2³² − 1 without a position. Requires maps that keep places.
std::string page_json(const Explorer& explorer, std::span<const MappedReport> subjects,
                      const Results& results);

}  // namespace rope::io
