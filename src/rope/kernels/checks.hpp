// What the checks make of a tile, rows × stride values of cos and sin beside other rows.
#pragma once

#include <cstddef>

namespace rope {

// A convex octagon per pair in the plane (u, y): within is normal·((u, y) − centre) < 1 at every
// edge. NaN normals leave nothing within.
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

struct CheckKernels {
    // Whether an error is not as expected at the least position of the tile, NaN among them.
    bool (*table_suspects)(std::size_t rows, std::size_t stride, double least_position,
                           const ExpectedErrors* expected, const double* c, const double* s,
                           const double* true_c, const double* true_s);

    // Table errors of a tile. Per pair of lanes, over its rows:
    //   worst[i]   the largest |subject − truth| / min(rounding + m·slope[i], ceiling)
    //   out[i]     how many of the 2·rows are not ≤ 1, NaN among them
    //   drift[i]   the largest (|sin Δφ| − slack)·per_theta[i]·per_angle[r]
    void (*table_errors)(std::size_t rows, std::size_t stride, const double* position,
                         const double* per_angle, const double* slope, const double* per_theta,
                         double rounding, double ceiling, double slack, const double* c,
                         const double* s, const double* true_c, const double* true_s, double* worst,
                         double* out, double* drift);

    // Whether one of n |c² + s² − norm| is not ≤ expected, NaN among them.
    bool (*norm_suspects)(std::size_t n, double norm, double expected, const double* c,
                          const double* s);

    // Per pair: worst[i] = the largest |c² + s² − norm|, out[i] = how many are not ≤ allowed.
    void (*norm_errors)(std::size_t rows, std::size_t stride, double norm, double allowed,
                        const double* c, const double* s, double* worst, double* out);

    // radius[i] = the largest |ẑ/a − z̃|² of pair i and what radius[i] was; infinity after NaN.
    void (*radii)(std::size_t rows, std::size_t stride, double inverse_amplitude, const double* c,
                  const double* s, const double* effective_c, const double* effective_s,
                  double* radius);

    // v = ẑ·conj(z̃)/a in the coordinates u = |v|² − 1, y = Im v; x = Re v − 1.
    // outside[r][i] = 0 where x > −3/4 and (u, y) is within the pair's octagon, else 1.
    void (*relative_errors)(std::size_t rows, std::size_t stride, double inverse_amplitude,
                            const double* c, const double* s, const double* effective_c,
                            const double* effective_s, const Octagons* octagons, double* x,
                            double* y, double* u, double* outside);
};

}  // namespace rope
