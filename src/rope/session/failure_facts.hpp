// What checks found, as observations, where the diagnosis sees nothing.
#pragma once

#include <string>
#include <vector>

#include "rope/report/report.hpp"

namespace rope {

// Whether a law or a conformance is violated by more than rounding: max-error is a bound of the
// user's on that.
bool is_fault(const Finding& finding);

// Of each fault how many values, where, and by how much.
std::vector<std::string> failure_facts(const Report& report);

}  // namespace rope
