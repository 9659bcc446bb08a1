// Hot loops, compiled once per instruction set and chosen at run time.
//
// Every result is IEEE arithmetic without contraction, or has passed Ziv's test, so all instruction
// sets give the same bits. Arrays must not overlap. A tile is rows × stride values, row-major.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rope {

// Proved bound of |computed − exact| in cos_sin_of_turns, cos_sin_of_angles and add_angles:
//   polynomial: sin ≤ 3.4·2^-53·√½, cos ≤ 2·2^-53              → 2^-51.7
//   angle addition: 2√2 of that, and three roundings of 2^-54  → 2^-49.9
inline constexpr double cos_sin_error = 0x1p-49;

// cos and sin of rows, as input and as output.
struct CosSin {
    const double* c;
    const double* s;
};
struct CosSinOut {
    double* c;
    double* s;
};

struct CheckKernels;  // defined in checks.hpp and sums.hpp
struct RecoveryKernels;
struct SumKernels;

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

    // The float32 numbers nearest to cos and sin of float32 angles in radians, |angle| < 2^33.
    // Returns whether the rounding of one is undecided; if not, all errors are ≤ ½ ulp
    // (Kernels.RoundedAnglesAreTheNearestNumbers).
    bool (*round_angles)(std::size_t n, const float* angle, double* c, double* s);

    // (position·rate mod 1) as 64-bit fractions of a turn, truncated, for position < 2^32 and rates
    // that are 128-bit fractions of a turn in two words. Exact
    // (Kernels.TurnsAtAPositionAreTheTopOfAllBits).
    void (*turns_at)(std::size_t n, std::uint64_t position, const std::uint64_t* rate_high,
                     const std::uint64_t* rate_low, std::uint64_t* turn);

    // own = block[i] rotated by base[r][i], the exact rows of inv_freq. rounded = the float32
    // numbers nearest to cos and sin of the float32 angles fl32(position[r]·inv_freq[i]); angle −
    // position·inv_freq is exact, and at most 2^-5 for |angle| < 2^20. Returns whether the rounding
    // of one is undecided; if not, all errors are ≤ ½ ulp (Kernels.AnglesNearAnExactRow).
    bool (*round_near_exact)(std::size_t rows, std::size_t stride, const float* position,
                             const float* inv_freq, CosSin block, CosSin base, CosSinOut own,
                             CosSinOut rounded);

    // sum[r][i] = block[i] rotated by base[r][i]. Largest error found 4.07·2^-53: sin of
    // 0x614ef873e5dcf481 + 0x9f6c240c1e895d80 of a turn got 0x1.25e5e4de432p-6 want
    // 0x1.25e5e4de4317ep-6 (KernelErrors.OfAngleAddition)
    void (*add_angles)(std::size_t rows, std::size_t stride, CosSin block, CosSin base,
                       CosSinOut sum);

    // angle[r][i] = fl32(position[r] · inv_freq[i])
    void (*multiply)(std::size_t rows, std::size_t stride, const float* position,
                     const float* inv_freq, float* angle);

    // rounded = fl32(x). Returns the number of x for which x − error and x + error round
    // differently.
    std::size_t (*round_to_float32)(std::size_t n, double error, const double* x, double* rounded);

    const CheckKernels* checks;
    const RecoveryKernels* recovery;
    const SumKernels* sums;
};

// Returns the fastest set this processor supports, or the set named by ROPE_CHECK_ISA: baseline,
// avx2 or avx512.
const Kernels& kernels();

// Returns all sets this processor supports, fastest first, for tests that compare them.
std::vector<const Kernels*> every_kernels();

}  // namespace rope
