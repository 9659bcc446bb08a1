// How accurate a subject is, whatever is allowed, in the first lines of a report.
#pragma once

#include <string>

#include "rope/report/report.hpp"

namespace rope::io {

// "accuracy: worst |error| 7.7e-3 at position 130347, pair 1; K 2.3, like a float32 power", and
// from which position on it matters. Empty where no table was checked.
std::string accuracy_text(const Report& report, bool verbose);

}  // namespace rope::io
