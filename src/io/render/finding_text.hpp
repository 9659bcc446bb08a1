// One Finding as lines of text.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "rope/report/report.hpp"

namespace rope::io {

// The advice on a mistake, and where the documentation has an example of it:
// read the config's value (docs/mistakes.md#base)
std::string cause_of(const Explanation& one);

// head_dim=128 rope_theta=10000 pipeline=bf16-angles positions<4096
std::string parameters(const Report& report);

// cache_layout half (rotary_dim/2 columns) · axes sd (shape [50, 32])
std::string assumed_text(std::span<const Assumption> assumed);

// Where the axes of vectors may be others than those that they were read by: "if q.npy is 64
// positions of 4 heads, not 4 of 64, the rotation runs along the wrong axis: judge it with --axes
// bhsd". Else empty.
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

}  // namespace rope::io
