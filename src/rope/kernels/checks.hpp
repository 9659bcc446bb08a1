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

// Rows × stride numbers, and those that they are held beside.
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

struct CheckKernels {
    // Whether an error is not as expected at the least position of the tile, NaN among them.
    bool (*table_suspects)(const RowsBeside& tile, double least_position,
                           const ExpectedErrors& expected);

    void (*table_errors)(const RowsBeside& tile, const TableAllowance& allowance,
                         const TableErrors& errors);

    // k[r][i]: the K that the error of pair i in row r needs, infinity of NaN; 0 at position 0.
    void (*least_k)(const RowsBeside& tile, const AngleError& error, double* k);

    // Whether one of n |c² + s² − norm| is not ≤ expected, NaN among them.
    bool (*norm_suspects)(std::size_t n, double norm, double expected, CosSin own);

    // Per pair: worst[i] = the largest |c² + s² − norm|, out[i] = how many are not ≤ allowed.
    void (*norm_errors)(std::size_t rows, std::size_t stride, double norm, double allowed,
                        CosSin own, double* worst, double* out);

    // radius[i] = the largest |ẑ/a − z̃|² of pair i and what radius[i] was; infinity after NaN.
    // norm[i] = the same of |ẑ/a|².
    void (*radii)(const RowsBeside& tile, double inverse_amplitude, double* radius, double* norm);

    void (*relative_errors)(const RowsBeside& tile, double inverse_amplitude,
                            const Octagons& octagons, const RelativeErrors& errors);

    void (*wide_errors)(const RowsBeside& tile, double amplitude, const Octagons& octagons,
                        const double* dull, const WideErrors& errors);
};

}  // namespace rope
