// What the checks make of a tile, rows × stride values of cos and sin beside other rows.
#pragma once

#include <cstddef>

#include "rope/kernels/kernels.hpp"

namespace rope {

// A convex octagon per pair in the plane (u, y), or (x, y): within is normal·((u, y) − centre) < 1
// at every edge. NaN normals leave nothing within.
struct Octagons {
    static constexpr int edges = 8;
    const double* centre_u;  // [stride] each
    const double* centre_y;
    const double* normal_u[edges];
    const double* normal_y[edges];
};

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

// What table_errors holds errors against: min(rounding + m·slope[i], ceiling); and of drifts the
// slack and two scales, per_theta[i] and, of each row, per_angle[r].
struct TableAllowance {
    const double *position, *per_angle;  // of each row
    const double *slope, *per_theta;     // of each pair
    double rounding, ceiling, slack;
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

// v = ẑ·conj(z̃)/a in the coordinates u = |v|² − 1, y = Im v; x = Re v − 1.
// outside[r][i] = 0 where x > −3/4 and (u, y) is within the pair's octagon, else 1.
struct RelativeErrors {
    double* x;
    double* y;
    double* u;
    double* outside;
};

// The same x and y. outside[r][i] = 0 where (x, y) is within the pair's octagon or |v|² ≤ dull[i].
struct WideErrors {
    double* x;
    double* y;
    double* outside;
};

// Every step is rounded once, in the order written here, ẑ = (c, s) of own and z = (c′, s′) of
// other: the errors are those of these definitions, and their bits are held by the test named.
struct CheckKernels {
    // Whether an error is not as expected at the least position of the tile, NaN among them. Limits
    // are squared and lowered by 2^-50 of themselves, more than the three roundings of squares, so
    // that none is overlooked (CheckKernels.OverlookNoErrorBeyondItsLimit)
    bool (*table_suspects)(const RowsBeside& tile, double least_position,
                           const ExpectedErrors& expected);

    // Errors max(|c − c′|, |s − s′|) over allowed; drift of |s·c′ − c·s′|, and beyond a quarter
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
    // NaN. norm[i] = the same of |ẑ·inverse|² (CheckKernels.MeasureRadiiAsDefined)
    void (*radii)(const RowsBeside& tile, double inverse_amplitude, double* radius, double* norm);

    // (a, b) = ẑ·inverse: x = (a·c′ + b·s′) − 1, y = b·c′ − a·s′, u = (a·a + b·b) − 1
    // (CheckKernels.TakeRelativeErrorsAsDefined)
    void (*relative_errors)(const RowsBeside& tile, double inverse_amplitude,
                            const Octagons& octagons, const RelativeErrors& errors);

    // The same of (a, b) = ẑ/amplitude (CheckKernels.TakeRelativeErrorsAsDefined)
    void (*wide_errors)(const RowsBeside& tile, double amplitude, const Octagons& octagons,
                        const double* dull, const WideErrors& errors);
};

}  // namespace rope
