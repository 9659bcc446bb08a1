// A report as text for a terminal, without colour.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/render/command_line.hpp"
#include "rope/report/report.hpp"

namespace rope::io {

// Returns the mistake's advice and the place of its example in the documentation: "read the
// config's value (docs/mistakes.md#base)".
std::string cause_of(const Explanation& one);

// "4.4e6 times the tolerance, 0.1 times once corrected"; for one of several mistakes "1.0e6 times
// the tolerance if only this mistake remains, 0.076 times if none".
std::string effect_text(const Explanation& one, bool is_single);

// "head_dim=128 rope_theta=10000 pipeline=bf16-angles positions<4096"
std::string parameters(const Report& report);

// "cache_layout half (rotary_dim/2 columns) · axes sd (shape [50, 32])"
std::string assumed_text(std::span<const Assumption> assumed);

// Returns a note if the axes of vectors may be other than assumed: "q.npy is read as 4 positions of
// 64 heads; if it is 64 positions of 4 heads, check it with --axes bhsd". Else empty.
std::string doubt_of(const Subject& subject);

// A field of a check, with so many digits of a number; 0: all.
std::string field_text(const FieldValue& value, int digits = 0);

// "largest error 2.0 at position 3259, pair 10, 512 times the tolerance 3.9e-3"
std::string error_text(const Finding& finding);

// Returns FAIL with the largest error, the tolerance, the place, want, got and the cause; for a
// required claim its line. Check ids are padded to `width`; `verbose` adds hexadecimal values.
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

// Returns the last line without its newline: "9 checks passed · 1 of 2 required claims failed ·
// 8,388,608 values · …".
std::string outcome_line(const Report& report, const std::vector<std::string>& required = {});

}  // namespace rope::io
