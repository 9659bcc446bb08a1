// What every unit of kernels begins with. Each is compiled once per instruction set, as namespace
// ROPE_CHECK_ISA_NAME; no header whose inline functions are emitted may enter, for their code would
// be shared with other units.
#pragma once

#ifdef __FAST_MATH__
#error "rope-check must not be compiled with -ffast-math"
#endif

#include <cstddef>
#include <cstdint>

// No iteration reads what another wrote.
#ifdef __clang__
#define ROPE_CHECK_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ROPE_CHECK_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

using std::int32_t;
using std::int64_t;
using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

inline uint32_t bits_of(float x) { return __builtin_bit_cast(uint32_t, x); }

// A double's bits, so that those above the last 29 are those of the float32 number nearest to it
// (away from zero at a tie). `Bits` of one number or of a register's.
template <class Bits, class Double>
inline Bits rounded_bits(const Double& x) {
    constexpr uint64_t half = 1 << 28;
    return __builtin_bit_cast(Bits, x) + half;
}

// Ziv's test: what low and high both round to is what all between them rounds to. `round` makes
// bits of a number, or of a register's; those in which its two outcomes differ go into `doubt`.
template <class Bits, class Number, class Round>
inline Bits settle(const Number& low, const Number& high, Bits& doubt, const Round& round) {
    const Bits rounded = round(low);
    doubt |= rounded ^ round(high);
    return rounded;
}

}  // namespace
}  // namespace rope::ROPE_CHECK_ISA_NAME
