// The hot loops, compiled once per instruction set and chosen at run time.
//
// Every number is IEEE arithmetic without contraction, or one that Ziv's test has settled, so all
// instruction sets give the same bits. Arrays may not overlap. A tile is rows × stride values,
// row-major.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rope {

// |computed − exact|, proved, of cos_sin_of_turns, cos_sin_of_angles and add_angles.
//   polynomial: sin ≤ 3.4·2^-53·√½, cos ≤ 2·2^-53              → 2^-51.7
//   angle addition: 2√2 of that, and three roundings of 2^-54  → 2^-49.9
inline constexpr double cos_sin_error = 0x1p-49;

// Cosines and sines of rows, and where a kernel writes some.
struct CosSin {
    const double* c;
    const double* s;
};
struct CosSinOut {
    double* c;
    double* s;
};

struct CheckKernels;  // each of them in a header of its name
struct PartsKernels;
struct RecoveryKernels;
struct SumKernels;
struct TableKernels;

struct Kernels {
    const char* isa;

    // cos and sin of phases given as 64-bit fractions of a turn. Largest error found 1.42·2^-53:
    // sin of 0x1fdf380560d3017f got 0x1.68e62830365d3p-1 want 0x1.68e62830365d4p-1
    // (KernelErrors.OfTurns)
    void (*cos_sin_of_turns)(std::size_t n, const std::uint64_t* turn, double* c, double* s);

    // cos and sin of float32 angles in radians, |angle| < 2^33. Largest error found 1.63·2^-53:
    // sin of -0x1.b882a2p11 got 0x1.69c77ebb4bd73p-1 want 0x1.69c77ebb4bd71p-1
    // (KernelErrors.OfAngles)
    void (*cos_sin_of_angles)(std::size_t n, const float* angle, double* c, double* s);

    // The float32 numbers nearest to cos and sin of float32 angles, |angle| < 2^33. Returns whether
    // one is in doubt; else each is within ½ ulp (Kernels.RoundedAnglesAreTheNearestNumbers)
    bool (*round_angles)(std::size_t n, const float* angle, double* c, double* s);

    // (position·rate mod 1) as 64-bit fractions of a turn, truncated; rates are 128-bit fractions
    // in two words, position < 2^32. Exact (Kernels.TurnsAtAPositionAreTheTopOfAllBits)
    void (*turns_at)(std::size_t n, std::uint64_t position, const std::uint64_t* rate_high,
                     const std::uint64_t* rate_low, std::uint64_t* turn);

    // own: block[i] turned by base[r][i], the exact rows of inv_freq. rounded: the float32 numbers
    // nearest to cos and sin of the float32 angles fl32(position[r] · inv_freq[i]); angle −
    // position·inv_freq is exact, and at most 2^-5 for |angle| < 2^20. Returns whether one is in
    // doubt; else each is within ½ ulp (Kernels.AnglesBesideAnExactRow)
    bool (*round_beside)(std::size_t rows, std::size_t stride, const float* position,
                         const float* inv_freq, CosSin block, CosSin base, CosSinOut own,
                         CosSinOut rounded);

    // sum[r][i] = block[i] turned by base[r][i]. Largest error found 4.07·2^-53: sin of
    // 0x614ef873e5dcf481 + 0x9f6c240c1e895d80 of a turn got 0x1.25e5e4de432p-6
    // want 0x1.25e5e4de4317ep-6 (KernelErrors.OfAngleAddition)
    void (*add_angles)(std::size_t rows, std::size_t stride, CosSin block, CosSin base,
                       CosSinOut sum);

    // angle[r][i] = fl32(position[r] · inv_freq[i])
    void (*multiply)(std::size_t rows, std::size_t stride, const float* position,
                     const float* inv_freq, float* angle);

    // rounded = fl32(x); returns how many x ± error round differently.
    std::size_t (*round_to_float32)(std::size_t n, double error, const double* x, double* rounded);

    const CheckKernels* checks;
    const PartsKernels* parts;
    const RecoveryKernels* recovery;
    const SumKernels* sums;
    const TableKernels* tables;
};

// The best set this processor runs, or the one that ROPE_CHECK_ISA names: baseline, avx2, avx512.
const Kernels& kernels();

// The sets of kernels, for tests that hold them against each other.

// Those that this processor runs, the best first and baseline last.
std::vector<const Kernels*> every_kernels();

}  // namespace rope
