// Reports and the result of a command for every output format, and the command that reproduces
// them.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/model/lint.hpp"
#include "rope/checks/report.hpp"
#include "rope/diagnose/dump_evidence.hpp"

namespace rope::io {

// Returns a word for a shell, in single quotes if it has special characters.
std::string shell_word(std::string_view word);

// The same for several words, separated by spaces.
std::string shell_words(std::span<const std::string> words);

// Returns the flags of a Spec, without those that equal a default: --dim 128 --base 500000.
std::vector<std::string> spec_words(const Spec& spec);

// The words that named a subject other than a pipeline: a dump, or a program to audit.
struct SubjectWords {
    SubjectWords() = default;
    SubjectWords(std::vector<std::string> dump) : words(std::move(dump)) {}

    std::string command = "compare";
    std::vector<std::string> words;    // before the Spec
    std::vector<std::string> config;   // those of the config, as typed
    bool can_repeat_config = false;    // they name one config, which can be read again
    std::vector<std::string> program;  // after --
};

// Returns the command of a report, or of one failure with its exit code, quoted for a shell:
// "rope-check verify --dim 128 --pipeline bf16-angles --context 4096 --only table-accuracy". It
// requires the same claims, and the max-error if that is violated. A subject other than a pipeline
// has its own words.
std::string command_line(const Report& report, std::span<const std::string> required = {},
                         const SubjectWords& subject = {}, const Finding* failure = nullptr);

// Returns the mistake's advice and the place of its example in the documentation: "read the
// config's value (docs/mistakes.md#base)".
std::string cause_of(const Explanation& one);

// "4.4e6 × its tolerance with this mistake, 0.1 × without"; for one of several mistakes "1.0e6 ×
// its tolerance with only this mistake left, 0.076 × with none".
std::string effect_text(const Explanation& one, const Report& report);

// "head_dim=128 rope_theta=10000 pipeline=bf16-angles positions<4096"
std::string parameters(const Report& report);

// Returns a note if the axes of vectors may be other than assumed: "q.npy is read as 4 positions of
// 64 heads; if it is 64 positions of 4 heads, check it with --axes bhsd". Else empty.
std::string doubt_of(const Subject& subject);

// A field of a check, with so many digits of a number; 0: all.
std::string field_text(const FieldValue& value, int digits = 0);

// "error 2.0 at position 3259, pair 10, 512 times the tolerance 3.9e-3"
std::string error_text(const Finding& finding);

// Returns FAIL with the error that is the largest multiple of its tolerance, that tolerance, the
// place, want, got and the cause; for a required claim its line. Check ids are padded to `width`;
// `verbose` adds hexadecimal values.
std::string failure_text(const Finding& finding, const Report& report, std::size_t width,
                         bool verbose);

// Returns "ok" with error and tolerance, or "n/a" with the reason.
std::string outcome_text(const Finding& finding, std::size_t width, bool verbose);

// "c3[R3: |r̂| decreasing, q = k]: violated first at s = 3 (pair 0); searched to 16384"
std::string claim_line(const Finding& finding, const Subject& subject);
// Returns the same as a line of a report, and below it the reason if it is violated.
std::string claim_text(const Finding& finding, const Subject& subject, bool verbose);

// Returns "accuracy: worst |error| 7.7e-3 at position 130347, pair 1; …" and the distance from
// which on logits are affected. Empty if no table was checked.
std::string accuracy_text(const Report& report, bool verbose);

struct TextOptions {
    bool quiet = false;      // failures and the last line only
    bool verbose = false;    // with each check's statement, source, witness and fields
    SubjectWords dump = {};  // how the dump was named, for `reproduce:`
};

// Returns the reports of one run, under the name of their layers or tensor if there are several. A
// report with the diagnosis of an earlier one refers to that, unless `verbose`.
std::string reports_text(std::span<const Report> reports, const TextOptions& options,
                         const std::vector<std::string>& required);

// Returns failures, then passed checks, then claims, then a line with the counts. A violated claim
// that is `required` is a failure. Every line ends in a newline.
std::string report_text(const Report& report, const TextOptions& options = {},
                        const std::vector<std::string>& required = {});

// "config:   llama-3-8b: head_dim=128 rope_theta=500000 …"; empty if no config is checked.
std::string config_line(const Report& report);

// Returns the diagnosis with its title and an empty line, or what was observed; else empty.
std::string diagnosis_text(const Report& report);
// "the same as for q" if an earlier one of the reports has the report's diagnosis, else empty.
std::string same_diagnosis(std::span<const Report> reports, const Report& report);

// Returns the last line without its newline: "9 checks passed · 1 of 2 required claims failed ·
// 8,388,608 values · …".
std::string outcome_line(const Report& report, const std::vector<std::string>& required = {});

struct RunDrift {
    std::vector<std::string> command;  // as recorded in the baseline
    std::vector<Drift> drifts;
    std::vector<Report> reports = {};  // of a repeated run, whose diagnosis explains the drift
};

// The drift of all runs in one baseline file.
struct DriftReport {
    std::string file;
    std::vector<RunDrift> runs;

    bool fails() const;
};

// "recorded as violated: table-accuracy, pair-norm"; empty if there are none.
std::string accepted_line(const DriftReport& report);

// "table-accuracy/observed was 2e-08, now 3e-08: difference 1e-08, allowed 0"
std::string drift_sentence(const Drift& drift);

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
    std::string subject;     // "dump.npz:k", "head_dim=128 rope_theta=10000 positions<4096", or ""
    std::string reason;      // the explanations, else the note, else the numbers
    std::string again;       // the command that reproduces it
    std::string cause = {};  // the usual cause of each explanation, and how to fix it
    std::string place = {};  // "config.json: rope_theta", if a file has the key
};
// Returns the drifted metrics and how they changed, or the diagnosis that explains it; then notes,
// unless quiet; then a line with counts. Verbose adds every metric.
std::string drift_text(const Results& results, const TextOptions& options);

// The diagnosed mistakes of the run, if they explain that a verdict drifted; else empty.
std::string drift_cause(const RunDrift& run, const Results& results);

// Returns the failure of a violated finding.
Failure failure_of(const Finding& finding, const Report& report, const Results& results);
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

// Returns a GitHub workflow command that shows the message of an error.
std::string github_error(std::string_view message);
// Returns GitHub workflow commands: at most 9 errors, one for the rest, then the headline.
std::string github_text(const Results& results);

// Returns a GitHub step summary of at most 900,000 bytes: failures, then all checks and drift.
std::string markdown_text(const Results& results);

struct NamedModel {
    std::string name;
    Spec spec;
};

// The Specs of the config, with the first of which the page starts, and others to choose from.
struct Explorer {
    std::vector<NamedModel> specs, models;
    std::uint64_t context = 0;  // 0: each Spec's max_position_embeddings
};

// Returns the explorer's data on one line, for the page's script of the same version. Frequencies
// are inv_freq in base64, little-endian float64, for the Spec, the models, and the Spec with other
// values of each parameter: the page itself computes no RoPE formula.
std::string page_json(const Explorer& explorer);

// The same with each subject's report, accuracy, effects of its mistakes and cells. "places" of n
// cells is base64, little-endian: n float64 positions, n float64 got, n float64 want, then n uint32
// with the pair, | 2³¹ for a sine, or 2³² − 1 without a position. Requires maps that keep places.
std::string page_json(const Explorer& explorer, std::span<const DrawnReport> subjects,
                      const Results& results);

}  // namespace rope::io
