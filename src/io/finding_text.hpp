// One Finding as lines of text.
#pragma once

#include <cstddef>
#include <string>

#include "rope/report.hpp"

namespace rope::io {

// FAIL and what, where, how far over and why; check ids are padded to `width`.
std::string failure_text(const Finding& finding, const Report& report, std::size_t width);

// ok with observed and allowed, or n/a with the reason.
std::string outcome_text(const Finding& finding, std::size_t width, bool verbose);

// c3[R3: |r̂| decreasing, q = k]: violated first at s = 3 (pair 0); searched to 16384
std::string claim_text(const Finding& finding, const Subject& subject, bool verbose);

}  // namespace rope::io
