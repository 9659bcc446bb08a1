// What the checks make of a tile, rows × stride values of cos and sin beside other rows.
#pragma once

#include <cstddef>

#include "rope/kernels/kernels.hpp"

namespace rope {

// Errors of a table that are of no further interest, at position m of pair i:
//     max(|δc|, |δs|) ≤ min(rounding + m·slope[i], ceiling)  and
//     |δ| ≤ min(slack + m·reach[i], most)
struct ExpectedErrors {
    const double* slope;
    double rounding;
    double ceiling;
    const double* reach;
    double slack;
    double most;
};

// Rows × stride numbers, and those that they are compared with.
struct RowsBeside {
    std::size_t rows;
    std::size_t stride;
    CosSin own;
    CosSin other;
};

// The limits of table_errors: min(rounding + m·slope[i], ceiling) of an error; of the sine of an
// angle the slack, two scales, per_theta[i] and, of each row, per_angle[r], and 1/a² for rows of
// amplitude a.
struct TableAllowance {
    const double *position, *per_angle;  // of each row
    const double *slope, *per_theta;     // of each pair
    double rounding, ceiling, slack, per_square;
};

// Per pair, over the rows of a tile:
//   worst[i]   the largest |own − other| / allowed; infinity of NaN
//   out[i]     how many of the 2·rows are not ≤ 1, NaN among them
//   drift[i]   the largest (|sin Δφ| − slack)·per_theta[i]·per_angle[r]
struct TableErrors {
    double* worst;
    double* out;
    double* drift;
};

// What least_k takes off an error before it is the angle's: of a component the rounding of the
// table, of both together the distance. unit[i] is how far 1 of K moves pair i at position 1.
struct AngleError {
    const double* position;  // of each row
    const double* unit;
    double amplitude, rounding, distance;
};

// Every step is rounded once, in the order written here, ẑ = (c, s) of own and z = (c′, s′) of
// other: the errors are those of these definitions, and their bits are held by the test named.
struct CheckKernels {
    // Whether an error is not as expected at the least position of the tile, NaN among them. Limits
    // are squared and lowered by 2^-50 of themselves, more than the three roundings of squares, so
    // that none is overlooked (CheckKernels.OverlookNoErrorBeyondItsLimit)
    bool (*table_suspects)(const RowsBeside& tile, double least_position,
                           const ExpectedErrors& expected);

    // Errors max(|c − c′|, |s − s′|) over allowed; drift of |s·c′ − c·s′|/a², and beyond a quarter
    // turn of 2 less it (CheckKernels.JudgeATableAsDefined)
    void (*table_errors)(const RowsBeside& tile, const TableAllowance& allowance,
                         const TableErrors& errors);

    // k[r][i]: the K that the error of pair i in row r needs, infinity of NaN; 0 at position 0.
    // max(max(|δc|, |δs|) − rounding, √(δc·δc + δs·δs) − distance) / (|m|·unit), δc = c −
    // amplitude·c′ (CheckKernels.FindTheLeastKAsDefined)
    void (*least_k)(const RowsBeside& tile, const AngleError& error, double* k);

    // Whether one of n |(c·c + s·s) − norm| is not ≤ expected, NaN among them
    // (CheckKernels.MeasureNormsAsDefined)
    bool (*norm_suspects)(std::size_t n, double norm, double expected, CosSin own);

    // Per pair: worst[i] = the largest |(c·c + s·s) − norm|, out[i] = how many are not ≤ allowed
    // (CheckKernels.MeasureNormsAsDefined)
    void (*norm_errors)(std::size_t rows, std::size_t stride, double norm, double allowed,
                        CosSin own, double* worst, double* out);

    // radius[i] = the largest |ẑ·inverse − z|² of pair i and what radius[i] was; infinity after
    // NaN (CheckKernels.MeasureRadiiAsDefined)
    void (*radii)(const RowsBeside& tile, double inverse_amplitude, double* radius);
};

// Rotations worked out from vectors before and after them.

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
