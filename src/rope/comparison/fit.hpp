// The frequencies and the amplitude that a dump really turns by.
#pragma once

#include <vector>

#include "rope/comparison/comparison.hpp"

namespace rope {

struct Fit {
    std::vector<BigReal> inv_freq;  // one per pair, of either sign
    double amplitude = 1;           // √ of the mean of cos² + sin²
};

// Per pair, of three lines through its angles the one that comes nearest to all rows: the plan's
// own, and two by least squares, of angles unwrapped by the plan's θ and of angles unwrapped each
// by the line through those before it (the turn from one row to the next gives θ modulo 2π/gap;
// the plan's θ picks the branch). So a subject within the comparison's allowances of the truth is
// within them of the fit too, and satisfies every law. Rows that are not finite are passed over.
// The comparison's effective_* are not used.
Fit fit_frequencies(const Comparison& comparison);

}  // namespace rope
