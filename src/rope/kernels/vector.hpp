// A register's worth of numbers, for kernels whose stores plain loops cannot say. Part of each of
// them, and of nothing else.
#pragma once

#ifdef __AVX2__

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

#ifdef __AVX512F__
constexpr std::size_t width = 64;
#else
constexpr std::size_t width = 32;
#endif

template <class Number, std::size_t bytes = width>
struct Vector {
    typedef Number Type __attribute__((vector_size(bytes)));
};
using Doubles = Vector<double>::Type;
using Longs = Vector<std::uint64_t>::Type;
using Floats = Vector<float>::Type;
using Ints = Vector<std::uint32_t>::Type;
using NarrowFloats = Vector<float, width / 2>::Type;
using NarrowInts = Vector<std::uint32_t, width / 2>::Type;
using Shorts = Vector<std::uint16_t, width / 2>::Type;

template <class Values>
Values load(const void* from) {
    Values values;
    __builtin_memcpy(&values, from, sizeof values);
    return values;
}

// By pieces of so many bytes past the caches, or through them where `piece` is 0.
template <std::size_t piece, class Values>
void store(void* to, const Values& values) {
    if constexpr (piece == 0) {
        __builtin_memcpy(to, &values, sizeof values);
    } else if constexpr (piece == 16 || sizeof values == 16) {
        __m128i pieces[sizeof values / 16];
        __builtin_memcpy(pieces, &values, sizeof values);
        for (const __m128i& each : pieces) {
            _mm_stream_si128(static_cast<__m128i*>(to), each);
            to = static_cast<__m128i*>(to) + 1;
        }
    } else {
        __m256i pieces[sizeof values / 32];
        __builtin_memcpy(pieces, &values, sizeof values);
        for (const __m256i& each : pieces) {
            _mm256_stream_si256(static_cast<__m256i*>(to), each);
            to = static_cast<__m256i*>(to) + 1;
        }
    }
}

template <class Bits>
bool any(const Bits& bits) {
#ifdef __AVX512F__
    if constexpr (sizeof bits == 64) {
        const auto all = __builtin_bit_cast(__m512i, bits);
        return _mm512_test_epi64_mask(all, all) != 0;
    }
#endif
    if constexpr (sizeof bits == 32) {
        const auto all = __builtin_bit_cast(__m256i, bits);
        return _mm256_testz_si256(all, all) == 0;
    }
    if constexpr (sizeof bits == 16) {
        const auto all = __builtin_bit_cast(__m128i, bits);
        return _mm_testz_si128(all, all) == 0;
    }
}

// The low halves.
inline Shorts narrowed(const Ints& x) {
#ifdef __AVX512F__
    return __builtin_bit_cast(Shorts,
                              _mm512_maskz_cvtepi32_epi16(0xffff, __builtin_bit_cast(__m512i, x)));
#else
    return __builtin_convertvector(x, Shorts);
#endif
}

// float16's own conversions (masked by nothing: GCC 12 warns of its own unmasked ones); to nearest,
// ties to even.
inline Shorts to_float16(const Floats& x) {
    constexpr int to_nearest = 0;
#ifdef __AVX512F__
    return __builtin_bit_cast(
        Shorts, _mm512_maskz_cvtps_ph(0xffff, __builtin_bit_cast(__m512, x), to_nearest));
#else
    return __builtin_bit_cast(Shorts, _mm256_cvtps_ph(__builtin_bit_cast(__m256, x), to_nearest));
#endif
}

inline Floats of_float16(const Shorts& x) {
#ifdef __AVX512F__
    return __builtin_bit_cast(Floats,
                              _mm512_maskz_cvtph_ps(0xffff, __builtin_bit_cast(__m256i, x)));
#else
    return __builtin_bit_cast(Floats, _mm256_cvtph_ps(__builtin_bit_cast(__m128i, x)));
#endif
}

}  // namespace
}  // namespace rope::ROPE_CHECK_ISA_NAME

#endif
