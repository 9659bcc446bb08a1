// Stored words of the number formats, and Ziv's rounding test; inlined into kernels.
#pragma once

#include <cstdint>

#include "rope/exact/format.hpp"

namespace rope {

// A binary format with p = significand_bits, including the implicit leading bit. Its normal numbers
// range from 2^smallest_exponent to below 2^(2 − smallest_exponent).
struct FormatShape {
    const char* name;
    int significand_bits;
    int smallest_exponent;
};

inline constexpr FormatShape format_shapes[] = {
    {"float64", 53, -1022}, {"float32", 24, -126}, {"tf32", 11, -126},
    {"bfloat16", 8, -126},  {"float16", 11, -14},
};

template <Format format>
inline constexpr FormatShape shape_of = format_shapes[static_cast<int>(format)];

}  // namespace rope

// Conversion between numbers and stored words. bfloat16 and float16 have the sign, exponent and
// fraction of float32, with fewer bits. Always inlined, because kernels are compiled once per
// instruction set and share no code.
#define ROPE_CHECK_INLINED [[gnu::always_inline]] static inline
namespace rope {

template <Format format>
struct Codec {
    using Stored = std::uint16_t;

    static constexpr int bits = shape_of<format>.significand_bits;
    static constexpr int least = shape_of<format>.smallest_exponent;
    static constexpr int cut = shape_of<Format::float32>.significand_bits - bits;
    static constexpr int rebias = least - shape_of<Format::float32>.smallest_exponent;
    static constexpr std::uint32_t fraction = (1U << (bits - 1)) - 1, infinity = 0x7fff & ~fraction;
    static constexpr std::uint32_t quiet = fraction / 2 + 1;  // of a NaN

    static consteval float power_of_two(int e) {
        return __builtin_bit_cast(float, static_cast<std::uint32_t>(e + 127) << 23);
    }

    // Rounds to nearest, ties to even: adds half a spacing to the bits below `cut`, or one less if
    // the last kept bit is 0. The caller then cuts off these bits.
    template <class Bits>
    ROPE_CHECK_INLINED Bits carried(const Bits& x) {
        return x + ((1U << (cut - 1)) - 1) + (x >> cut & 1);
    }

    // Returns the word of the number nearest to x.
    ROPE_CHECK_INLINED Stored nearest(float x) {
        const auto all = __builtin_bit_cast(std::uint32_t, x);
        if constexpr (rebias == 0)
            return static_cast<Stored>((x == x ? carried(all) : all | quiet << cut) >> cut);
        constexpr float overflow = (2 - power_of_two(-bits)) * power_of_two(1 - least);
        // The last bit of size + one is the smallest subnormal number.
        constexpr float one = power_of_two(least - bits + 24);
        const std::uint32_t size_bits = all & 0x7fffffff;
        const auto size = __builtin_bit_cast(float, size_bits);
        const std::uint32_t normal =
            (carried(size_bits) >> cut) - (std::uint32_t{rebias} << (bits - 1));
        const std::uint32_t small =
            __builtin_bit_cast(std::uint32_t, size + one) - __builtin_bit_cast(std::uint32_t, one);
        const std::uint32_t finite = size < power_of_two(least) ? small : normal;
        const std::uint32_t large =
            infinity | (size == size ? 0 : quiet | (size_bits >> cut & fraction));
        return static_cast<Stored>((all >> 16 & 0x8000) | (size < overflow ? finite : large));
    }

    ROPE_CHECK_INLINED float value(Stored word) {
        const std::uint32_t all = word, size = all & 0x7fff, sign = (all & 0x8000) << 16;
        if constexpr (rebias == 0) return __builtin_bit_cast(float, all << cut);
        const float finite = __builtin_bit_cast(float, size << cut) * power_of_two(rebias);
        // branch-free, so that loops are vectorised
        const std::uint32_t large = -std::uint32_t{size >= infinity} & 0x7f800000;
        return __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, finite) | large | sign);
    }

    // Returns the number nearest to x; both must be finite. Adding 1.5·2^52 spacings rounds to a
    // multiple of the spacing and loses the sign of a zero.
    ROPE_CHECK_INLINED float rounded(double x) {
        constexpr double spacings = 1.5 * static_cast<double>(std::uint64_t{1} << (53 - bits));
        constexpr std::uint64_t exponent = 0x7ff0000000000000;
        const double power =
            __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, x) & exponent);
        const double large = (power > power_of_two(least) ? power : power_of_two(least)) * spacings;
        return __builtin_copysignf(static_cast<float>((x + large) - large), static_cast<float>(x));
    }
};

// Ziv's test of the rounding of an approximate value. Always inlined, because kernels are compiled
// once per instruction set and share no code. float32_near() in kernels.cpp does the same on
// bits.

// Returns whether all numbers within `error` of x round to the same one. Rounding is monotonic, so
// comparing both ends suffices. False for NaN.
template <class Round>
[[gnu::always_inline]] static inline bool rounds_alike(double x, double error, const Round& round) {
    return round(x - error) == round(x + error);
}

// Returns the same for rounding to float32.
[[gnu::always_inline]] static inline bool rounds_alike(double x, double error) {
    return static_cast<float>(x - error) == static_cast<float>(x + error);
}

}  // namespace rope
