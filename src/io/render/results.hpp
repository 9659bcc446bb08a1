// Everything that one command found, for the formats that CI reads.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/lint/lint.hpp"
#include "io/render/drift_report.hpp"
#include "io/render/report_text.hpp"
#include "rope/report/report.hpp"

namespace rope::io {

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

// JUnit XML, in the dialect of Jenkins' xunit2 schema: one suite for each report and one for the
// baseline. Names hold no measured value; a violated claim that is not required is skipped.
std::string junit_xml(const Results& results);

// GitHub's workflow commands: at most 9 errors and one for the rest, then the headline.
std::string github_text(const Results& results);

// For a step summary: failures, then every check and what moved; never beyond 900,000 bytes.
std::string markdown_text(const Results& results);

}  // namespace rope::io
