// The hot loops, compiled once per instruction set and chosen at run time.
//
// Every loop is plain IEEE double arithmetic without contraction, so all instruction sets give
// the same bits. Arrays may not overlap. A tile is rows × stride values, row-major.
#pragma once

#include <cstddef>
#include <cstdint>

namespace rope {

// |computed − exact| of cos_sin_of_turns, cos_sin_of_angles and add_angles.
//   polynomial: sin ≤ 3.4·2^-53·√½, cos ≤ 2·2^-53              → 2^-51.7
//   angle addition: 2√2 of that, and three roundings of 2^-54  → 2^-49.9
inline constexpr double cos_sin_error = 0x1p-49;

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

// A tile of exact rows by angle addition, the block times an amplitude; |computed − exact| ≤ error.
template <class Number>
struct TurnedTile {
    const Number* block_c;  // [stride]
    const Number* block_s;
    const Number* base_c;  // [rows × stride]
    const Number* base_s;
    Number error;
};
struct TileSource : TurnedTile<double> {
    TurnedTile<float> near;  // the same in float32, for 16 bits only
};

// Rows of vectors to rotate, and the table's, rows × pairs. Pair i is lanes 2i and 2i + 1 where
// interleaved, else i and i + pairs. x and y are the same memory or apart.
struct RotatedRows {
    std::size_t rows;
    std::size_t head_dim;
    std::size_t pairs;
    bool interleaved;
    const float* cos;
    const float* sin;
};

// A tile's numbers of a format, each the nearest to the exact one, as they are stored; return the
// rows, bit r for row r, where one is in doubt (Ziv's test). A tile has at most 32 rows. `piece` is
// as in streaming.hpp: 0 for both outputs to go through the caches.
struct TableKernels {
    std::uint32_t (*float32_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                  std::size_t piece, float* c, float* s);
    std::uint32_t (*bfloat16_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                   std::size_t piece, std::uint16_t* c, std::uint16_t* s);
    std::uint32_t (*float16_tile)(std::size_t rows, std::size_t stride, const TileSource* source,
                                  std::size_t piece, std::uint16_t* c, std::uint16_t* s);
};

// y1 = x1·c − x2·s, y2 = x2·c + x1·s in float32, every step rounded, and then to the format;
// lanes that no pair has are copied.
struct RotationKernels {
    void (*rotate_float32)(const RotatedRows* table, std::size_t piece, const float* x, float* y);
    void (*rotate_bfloat16)(const RotatedRows* table, std::size_t piece, const std::uint16_t* x,
                            std::uint16_t* y);
    void (*rotate_float16)(const RotatedRows* table, std::size_t piece, const std::uint16_t* x,
                           std::uint16_t* y);
};

struct PartsKernels;  // kernels_parts.hpp

struct Kernels {
    const char* isa;

    // cos and sin of phases given as 64-bit fractions of a turn.
    void (*cos_sin_of_turns)(std::size_t n, const std::uint64_t* turn, double* c, double* s);

    // cos and sin of float32 angles in radians, |angle| < 2^33.
    void (*cos_sin_of_angles)(std::size_t n, const float* angle, double* c, double* s);

    // (position·rate mod 1) as 64-bit fractions of a turn, truncated; rates are 128-bit fractions
    // in two words, position < 2^32.
    void (*turns_at)(std::size_t n, std::uint64_t position, const std::uint64_t* rate_high,
                     const std::uint64_t* rate_low, std::uint64_t* turn);

    // own: (block_c, block_s)[i] turned by (base_c, base_s)[r][i], the exact rows of inv_freq.
    // (c, s): the float32 numbers nearest to cos and sin of the float32 angles
    // fl32(position[r] · inv_freq[i]); angle − position·inv_freq is exact, and at most 2^-5 for
    // |angle| < 2^20. Returns whether one is in doubt.
    bool (*round_beside)(std::size_t rows, std::size_t stride, const float* position,
                         const float* inv_freq, const double* block_c, const double* block_s,
                         const double* base_c, const double* base_s, double* own_c, double* own_s,
                         double* c, double* s);

    // (c, s)[r][i] = (block_c, block_s)[i] turned by (base_c, base_s)[r][i]
    void (*add_angles)(std::size_t rows, std::size_t stride, const double* block_c,
                       const double* block_s, const double* base_c, const double* base_s, double* c,
                       double* s);

    // angle[r][i] = fl32(position[r] · inv_freq[i])
    void (*multiply)(std::size_t rows, std::size_t stride, const float* position,
                     const float* inv_freq, float* angle);

    // rounded = fl32(x); returns how many x ± error round differently.
    std::size_t (*round_to_float32)(std::size_t n, double error, const double* x, double* rounded);

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

    // Per pair: worst[i] = the largest |c² + s² − norm|, out[i] = how many are not ≤ allowed.
    void (*norm_errors)(std::size_t rows, std::size_t stride, double norm, double allowed,
                        const double* c, const double* s, double* worst, double* out);

    // radius[i] = the largest |ẑ/a − z̃|² of pair i and what radius[i] was; infinity after NaN.
    void (*radii)(std::size_t rows, std::size_t stride, double inverse_amplitude, const double* c,
                  const double* s, const double* own_c, const double* own_s, double* radius);

    // v = ẑ·conj(z̃)/a in the coordinates u = |v|² − 1, y = Im v; x = Re v − 1.
    // outside[r][i] = 0 where x > −3/4 and (u, y) is within the pair's octagon, else 1.
    void (*relative_errors)(std::size_t rows, std::size_t stride, double inverse_amplitude,
                            const double* c, const double* s, const double* own_c,
                            const double* own_s, const Octagons* octagons, double* x, double* y,
                            double* u, double* outside);

    // Decay at rows ≤ 64 distances s, those of base turned by one block rotation per pair; base is
    // pairs × 64, so that each distance sums over the pairs in its own lane.
    //   mean[s] = Σ_i cos(sθ_i)/pairs,   roformer[s] = Σ_j |Σ_{i≤j} e^{isθ_i}|/pairs
    void (*decay)(std::size_t pairs, std::size_t rows, const double* block_c, const double* block_s,
                  const double* base_c, const double* base_s, double* mean, double* roformer);

    // mean[s] alone, to the same bits, at 64 distances.
    void (*mean_cosines)(std::size_t pairs, const double* block_c, const double* block_s,
                         const double* base_c, const double* base_s, double* mean);

    // constant + Σ_i cos(sθ_i) at the 64 distances s about a centre m, from the cosines and sines
    // of mθ_i and, for each pair, 32 cosines and then 32 sines of (b + ½)θ_i:
    // sums[32 + b] at m + b + ½, sums[31 − b] at m − b − ½. Returns the least.
    double (*cosine_sums)(std::size_t pairs, double constant, const double* centre_c,
                          const double* centre_s, const double* offsets, double* sums);
    const TableKernels* tables;
    const RotationKernels* rotation;
    const PartsKernels* parts;
};

// The best set this processor runs, or the one that ROPE_CHECK_ISA names: baseline, avx2, avx512.
const Kernels& kernels();

}  // namespace rope
