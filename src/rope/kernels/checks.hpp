// Hot loops of the checks. A tile is rows × stride values of cos and sin, compared with other rows.
#pragma once

#include <cstddef>

#include "rope/kernels/kernels.hpp"

namespace rope {

// Limits below which the errors (δc, δs) of a table at position m of pair i need no closer look:
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

// Two tiles of rows × stride numbers: the table to check and the one to compare it with.
struct ComparedRows {
    std::size_t rows;
    std::size_t stride;
    CosSin own;
    CosSin other;
};

// Limits of table_errors for row r, pair i, m = position[r]. An error of cos or sin may be
// min(rounding + m·slope[i], ceiling). per_square = 1/a² for a table of amplitude a.
struct TableTolerance {
    const double *position, *per_angle;  // [rows]
    const double *slope, *per_theta;     // [stride]
    double rounding, ceiling, slack, per_square;
};

// Results for each pair over the rows of a tile, in the terms of TableTolerance:
//   worst[i]   largest |own − other| / allowed; infinity for NaN
//   out[i]     number of the 2·rows errors that are not ≤ allowed, including NaN
//   drift[i]   largest (|sin Δφ| − slack)·per_theta[i]·per_angle[r]
struct TableErrors {
    double* worst;
    double* out;
    double* drift;
};

// Terms of least_k: `rounding` is subtracted from the error of cos or sin, `distance` from that of
// the pair. unit[i] is the error of pair i at position 1 for K = 1.
struct AngleError {
    const double* position;  // [rows]
    const double* unit;
    double amplitude, rounding, distance;
};

// Every step is rounded once, in the order written here; the named test compares all bits with
// these definitions. ẑ = (c, s) is `own`, z = (c′, s′) is `other`.
struct CheckKernels {
    // Returns whether an error, NaN included, exceeds its limit at the least position of the tile.
    // Squared limits are lowered by 2^-50, more than the three roundings of squares, so that no
    // error is missed (CheckKernels.OverlookNoErrorBeyondItsLimit).
    bool (*table_suspects)(const ComparedRows& tile, double least_position,
                           const ExpectedErrors& expected);

    // worst and out: errors max(|c − c′|, |s − s′|). drift: |sin Δφ| = |s·c′ − c·s′|/a², or 2 minus
    // this beyond a quarter turn (CheckKernels.CheckATableAsDefined).
    void (*table_errors)(const ComparedRows& tile, const TableTolerance& tolerance,
                         const TableErrors& errors);

    // k[r][i] = max(max(|δc|, |δs|) − rounding, √(δc² + δs²) − distance) / (|m|·unit[i]), where δc
    // = c − amplitude·c′, is the least K that allows the error; infinity for NaN, 0 at position 0
    // (CheckKernels.FindTheLeastKAsDefined).
    void (*least_k)(const ComparedRows& tile, const AngleError& error, double* k);

    // Returns whether one of n values |(c² + s²) − norm| is not ≤ expected, NaN included
    // (CheckKernels.MeasureNormsAsDefined).
    bool (*norm_suspects)(std::size_t n, double norm, double expected, CosSin own);

    // For each pair: worst[i] = largest |(c² + s²) − norm|, out[i] = number that are not ≤ allowed
    // (CheckKernels.MeasureNormsAsDefined).
    void (*norm_errors)(std::size_t rows, std::size_t stride, double norm, double allowed,
                        CosSin own, double* worst, double* out);

    // radius[i] = max(radius[i], largest |ẑ·inverse_amplitude − z|² of pair i); infinity after NaN
    // (CheckKernels.MeasureRadiiAsDefined).
    void (*radii)(const ComparedRows& tile, double inverse_amplitude, double* radius);
};

// Rotations recovered from vectors before and after them.

// First and second dimensions of n pairs.
struct PairDimensions {
    const double* first;
    const double* second;
};

// Vectors before and after rotation, for each pair: out = own·cos + partner·sin in both of its
// dimensions a and b. The sign of the sine is part of `partner`.
struct TurnedDimensions {
    const double *own_a, *partner_a, *out_a;
    const double *own_b, *partner_b, *out_b;
};

struct RecoveryKernels {
    // (c, s) = y·conj(x)/|x|² for n pairs, every step rounded once. Returns whether some |x|² is
    // below least_square (DumpCells.WorksOutEveryPairAsDefined compares all bits).
    bool (*recover)(std::size_t n, PairDimensions x, PairDimensions y, double least_square,
                    CosSinOut turn);

    // error[i] = |out − scale·(own·cos + partner·sin)| / (scale·norm[i]), where norm[i] = √((sum of
    // the four squares)/2) is the norm before rotation. Every step is rounded once, in this order
    // (CheckKernels.MeasureRotatedDimensionsAsDefined compares all bits).
    void (*turn_errors)(std::size_t n, const TurnedDimensions& dimensions, CosSin turn,
                        double scale, double* norm, double* error);
};

}  // namespace rope
