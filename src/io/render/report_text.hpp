// Report -> text for a terminal, without colour.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "io/render/command_line.hpp"
#include "rope/report/report.hpp"

namespace rope::io {

// One Finding as lines of text.

// The advice on a mistake, and where the documentation has an example of it:
// read the config's value (docs/mistakes.md#base)
std::string cause_of(const Explanation& one);

// "4.4e6 times the tolerance, 0.1 times once corrected"; of one of several mistakes "1.0e6 times
// the tolerance if only this mistake remains, 0.076 times if none".
std::string effect_text(const Explanation& one, bool is_single);

// head_dim=128 rope_theta=10000 pipeline=bf16-angles positions<4096
std::string parameters(const Report& report);

// cache_layout half (rotary_dim/2 columns) · axes sd (shape [50, 32])
std::string assumed_text(std::span<const Assumption> assumed);

// Where the axes of vectors may be others than those that they were read by: "q.npy is read as 4
// positions of 64 heads; if it is 64 positions of 4 heads, check it with --axes bhsd". Else empty.
std::string doubt_of(const Subject& subject);

// largest error 2.0 at position 3259, pair 10, 512 times the tolerance 3.9e-3
std::string error_text(const Finding& finding);

// FAIL with the largest error, the tolerance, where, want and got, and the cause; of a required
// claim its line. Check ids are padded to `width`; `verbose` adds hexadecimal values.
std::string failure_text(const Finding& finding, const Report& report, std::size_t width,
                         bool verbose);

// ok with error and tolerance, or n/a with the reason.
std::string outcome_text(const Finding& finding, std::size_t width, bool verbose);

// c3[R3: |r̂| decreasing, q = k]: violated first at s = 3 (pair 0); searched to 16384
std::string claim_line(const Finding& finding, const Subject& subject);
// The same as a line of a report, and below it why it is violated.
std::string claim_text(const Finding& finding, const Subject& subject, bool verbose);

// How accurate a subject is, whatever is allowed, in the first lines of a report.

// "accuracy: worst |error| 7.7e-3 at position 130347, pair 1; K 2.3, like a float32 power", and
// from which position on it matters. Empty where no table was checked.
std::string accuracy_text(const Report& report, bool verbose);

// Report -> text for a terminal, without colour.

struct TextOptions {
    bool quiet = false;      // failures and the last line only
    bool verbose = false;    // with each check's statement, source, witness and fields
    SubjectWords dump = {};  // the words that named it, for `reproduce:`
};

// The reports of one run, each under the name of its layers or tensor where there are several. One
// with the same diagnosis as an earlier one refers to it, unless `verbose`.
std::string reports_text(std::span<const Report> reports, const TextOptions& options,
                         const std::vector<std::string>& required);

// Failures first, then what holds, then the claims, then one line that says how much was looked
// at. Every line ends in a newline.
// A violated claim that is `required` is a failure.
std::string report_text(const Report& report, const TextOptions& options = {},
                        const std::vector<std::string>& required = {});

// The last line alone, without its end: "9 checks hold · 1 required claim violated · 8,388,608
// values · …".
std::string outcome_line(const Report& report, const std::vector<std::string>& required = {});

}  // namespace rope::io
