// The frequencies and the amplitude that a dump really turns by.
#pragma once

#include <vector>

#include "rope/frequency.hpp"
#include "rope/row_source.hpp"

namespace rope {

struct Fit {
    std::vector<BigReal> inv_freq;  // one per pair, of either sign
    double amplitude = 1;           // √ of the mean of cos² + sin²
};

// Per pair, the line through its unwrapped angles, by least squares: the turn from one row to the
// next gives θ modulo 2π/gap (the plan's θ picks the branch), and each later row is unwrapped by
// the line through those before it. Rows that are not finite are passed over.
Fit fit_frequencies(const FrequencyPlan& plan, const RowSource& subject);

}  // namespace rope
