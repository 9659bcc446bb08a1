// Common beginning of all kernel files. Each is compiled once per instruction set, in namespace
// ROPE_CHECK_ISA_NAME. No header with emitted inline functions may be included, because the linker
// would share their code between instruction sets.
#pragma once

#ifdef __FAST_MATH__
#error "rope-check must not be compiled with -ffast-math"
#endif

#include <cstddef>
#include <cstdint>

// Marks a loop in which no iteration reads what another one wrote.
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

// Returns the bits of a double plus half a float32 spacing: its bits except the last 29 are those
// of the nearest float32 number (ties away from zero). Works on one number or a vector register.
template <class Bits, class Double>
inline Bits rounded_bits(const Double& x) {
    constexpr uint64_t half = 1 << 28;
    return __builtin_bit_cast(Bits, x) + half;
}

// Ziv's test: if low and high round to the same bits, so does every number between them. `round`
// returns the bits of a number or register; differing bits are added to `doubt`.
template <class Bits, class Number, class Round>
inline Bits settle(const Number& low, const Number& high, Bits& doubt, const Round& round) {
    const Bits rounded = round(low);
    doubt |= rounded ^ round(high);
    return rounded;
}

}  // namespace
}  // namespace rope::ROPE_CHECK_ISA_NAME
