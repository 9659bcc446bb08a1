// Rotations worked out from vectors before and after them.
#pragma once

#include <cstddef>

#include "rope/kernels/kernels.hpp"

namespace rope {

// The lanes of n pairs, first and second of each.
struct PairLanes {
    const double* first;
    const double* second;
};

// Per pair and per vector before it was turned: two lanes written, each from its own lane times cos
// and its partner's, sign included, times sin.
struct TurnedLanes {
    const double *own_a, *partner_a, *out_a;
    const double *own_b, *partner_b, *out_b;
};

struct RecoveryKernels {
    // (c, s) = ŷ·conj(x)/|x|² of n pairs, every step rounded once. Returns whether an |x|² is below
    // least_square. The bits are those of that definition (DumpCells.WorksOutEveryPairAsDefined)
    bool (*recover)(std::size_t n, PairLanes x, PairLanes y, double least_square, CosSinOut turn);

    // error[i] = |y − scale·(own·cos + partner·sin)| / (scale·norm[i]), norm[i] that of what was
    // turned: √((all four squares)/2). Every step is rounded once, in this order; the bits are
    // those of that definition (CheckKernels.MeasureTurnedLanesAsDefined)
    void (*turn_errors)(std::size_t n, const TurnedLanes& lanes, CosSin turn, double scale,
                        double* norm, double* error);
};

}  // namespace rope
