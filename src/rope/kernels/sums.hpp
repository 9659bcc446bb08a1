// Sums over the pairs at many distances s.
#pragma once

#include <cstddef>

namespace rope {

// Cosines and sines in float32.
struct NearAngles {
    const float *c, *s;
};
struct NearReach {
    const float *c, *s, *slow;
};

// For a slow pair, `turned` σ = 32θ ≤ 1/16 replaces the offsets: with z ≤ 1,
//   cos zσ = 1 − (zσ)²/2, sin zσ = zσ − (zσ)³/6, with errors < 2^-20.5 and 2^-26
struct NearPairs {
    std::size_t fast, padded;    // pairs from `fast` on are slow; a multiple of 16
    const float *slow, *turned;  // 1 and σ for a slow pair; else 0
    const float* offsets;        // of the fast pairs, as for cosine_sums
};

struct SumKernels {
    // Decay at rows ≤ 64 distances s. Their angles are those of base, [pairs × 64], plus the angle
    // of block, one per pair.
    //   mean[s] = Σ_i cos(sθ_i)/pairs,   roformer[s] = Σ_j |Σ_{i≤j} e^{isθ_i}|/pairs
    // Largest errors found with 64 pairs (KernelErrors.OfTheMeanCosine)
    //   mean      7.12·2^-53   got 0x1.fc632a172dbbp-1 want 0x1.fc632a172dbb7p-1
    //   roformer  268.2·2^-53  got 0x1.03a4343340e65p+5 want 0x1.03a4343340e61p+5
    void (*decay)(std::size_t pairs, std::size_t rows, const double* block_c, const double* block_s,
                  const double* base_c, const double* base_s, double* mean, double* roformer);

    // The same in float32. Error of roformer < (P + 1)(P + 16)·2^-25 (DecayBlocks).
    void (*near_decay)(std::size_t pairs, std::size_t rows, const float* block_c,
                       const float* block_s, const float* base_c, const float* base_s, float* mean,
                       float* roformer);

    // Only mean[s], at 64 distances, with the same bits.
    void (*mean_cosines)(std::size_t pairs, const double* block_c, const double* block_s,
                         const double* base_c, const double* base_s, double* mean);

    // sums = constant + Σ_i cos(sθ_i) at the 64 distances s around a centre m: sums[32 + b] at m +
    // b + ½, sums[31 − b] at m − b − ½. centre_c and centre_s are cos and sin of mθ_i; offsets
    // holds for each pair 32 cosines and then 32 sines of (b + ½)θ_i. Returns the least sum.
    // Largest error found with 64 pairs 371.0·2^-53: got 0x1.fcc1d0501a268p+5
    // want 0x1.fcc1d0501a26ep+5 (KernelErrors.OfSumsOfCosines)
    double (*cosine_sums)(std::size_t pairs, double constant, const double* centre_c,
                          const double* centre_s, const double* offsets, double* sums);

    // The same without the constant, in float32. Error < P(1.01·P + 20)·2^-24 with P pairs
    // (CosineScan::lower_bound).
    float (*near_cosine_sums)(NearPairs pairs, NearAngles centre, float* sums);

    // (c, s) = centre rotated by row, in float32. Returns the bound
    //   Σ_i min(c·slow, c·reach_c) − |s·reach_s| + slow − 1
    // The number of pairs and the size of the arrays are multiples of 16.
    float (*turned_bound)(std::size_t pairs, NearAngles centre, NearAngles row, NearReach reach,
                          float* c, float* s);
};

}  // namespace rope
