// Everything that one command found, for every format: reports, their drift, a page.
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

// The drift of runs from their baseline, as text and JSON.

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

// "table-accuracy/observed was 2e-08, now 3e-08: difference 1e-08, allowed 0"
std::string drift_sentence(const Drift& drift);

// "; atol 1e-08 would have passed", of a number that has a tolerance; else nothing.
std::string passing_tolerance(const Drift& drift);

// Report -> JSON, schema rope-check-report/1: keys in a fixed order; NaN and infinities are the
// strings "nan", "inf" and "-inf"; text that is not UTF-8 is spelled \xff, never refused.
nlohmann::ordered_json report_object(const Report& report, int exit_code);

// Everything that one command found, for the formats that CI reads.

struct Results {
    std::vector<Report> reports = {};        // none where a baseline alone is checked
    std::optional<DriftReport> drift = {};   // from the baseline, where there is one
    std::vector<std::string> required = {};  // claims that gate
    std::vector<Lint> lint = {};             // of the configs
    bool strict = false;                     // a warning of these fails
    TextOptions text = {};
};

// 1 if a report violates what gates, a metric drifted or, where strict, lint warns, 2 if nothing
// was checked, else 0.
int exit_code(const Results& results);

// If no gating check applied: the checks that were requested, by the reason why each does not
// count. Else empty. A baseline includes claims.
std::string nothing_checked(const Results& results);

// What failed, as CI shows it: stable names, and a reason in one line.
struct Failure {
    std::string name;        // "table-accuracy", "k: table-accuracy", "claim c3-R1", "drift"
    std::string subject;     // "dump.npz:k", "head_dim=128 rope_theta=10000 positions<4096"
    std::string reason;      // the explanations, else the note, else the numbers; a claim's line
    std::string again;       // the command that reproduces it
    std::string cause = {};  // the usual cause of each explanation, and how to fix it
    std::string place = {};  // "config.json: rope_theta": the key of a file that it is about
};
// Of the diagnosis; empty where there is none.
std::string usual_cause(const Report& report);
// The same of one finding.
std::string reason_of(const Finding& finding, const Report& report);
std::vector<Failure> failures(const Results& results);

// What doubt there is of how dumps were read, a line each.
std::string doubt_lines(const Results& results);

// "9 checks hold · 8,388,608 values · …", one line for all reports and the drift.
std::string headline(const Results& results);

// One report, with "lint" and the drift as "baseline" where there are any; those of a model whose
// layers differ: {"schema": "rope-check-reports/1", "reports": […]}; a drift alone.
std::string results_json(const Results& results);

// JUnit XML, in the dialect of Jenkins' xunit2 schema: one suite for each report and one for the
// baseline. Names hold no measured value; a violated claim that is not required is skipped.
std::string junit_xml(const Results& results);

// GitHub's workflow commands: at most 9 errors and one for the rest, then the headline.
std::string github_text(const Results& results);

// For a step summary: failures, then every check and what moved; never beyond 900,000 bytes.
std::string markdown_text(const Results& results);

// What an HTML page shows, as JSON.

struct NamedModel {
    std::string_view name;
    Spec spec;
};

// What the explorer shows: the Spec, with which it begins, and others to choose.
struct Explorer {
    Spec spec;
    std::vector<NamedModel> models;
    std::uint64_t context = 0;  // 0: the Spec's max_position_embeddings
    std::string name = {};      // of the Spec
};

// On one line, for the script of the same version. Without subjects it is the explorer alone.
// Frequencies are inv_freq in base64, little-endian float64: of the Spec, of the models, and of the
// Spec with other values of each parameter that changes them. The page has no formula of RoPE.
std::string page_json(const Explorer& explorer);

// Each subject's report, its accuracy and the effect of each mistake in words, and its cells where
// it has any. Of n cells "places" is, in base64 and little-endian: n float64 of position, of got
// and of want, then n uint32, pair | 2³¹ for a sine; 2³² − 1 where there is no position. Requires
// that the maps keep places.
std::string page_json(const Explorer& explorer, std::span<const MappedReport> subjects,
                      const Results& results);

}  // namespace rope::io
