// Rows of a table in their stored format. Compiled with contraction: Ziv's test accepts only
// results to which all numbers within the error round, so the stored bits do not depend on the last
// bits of a product.
#include "rope/kernels/table.hpp"

#include "rope/exact/codec.hpp"
#include "rope/kernels/unit.hpp"

// Vector types for stores that plain loops cannot express.
#ifdef __AVX2__

#include <immintrin.h>

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

// Stores in non-temporal pieces of `piece` bytes, or through the caches if `piece` is 0.
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

// Returns the low half of each number.
inline Shorts narrowed(const Ints& x) {
#ifdef __AVX512F__
    return __builtin_bit_cast(Shorts,
                              _mm512_maskz_cvtepi32_epi16(0xffff, __builtin_bit_cast(__m512i, x)));
#else
    return __builtin_convertvector(x, Shorts);
#endif
}

// Hardware conversion to float16, to nearest, ties to even. The masks select all; GCC 12 warns
// about its own unmasked intrinsics.
inline Shorts to_float16(const Floats& x) {
    constexpr int to_nearest = 0;
#ifdef __AVX512F__
    return __builtin_bit_cast(
        Shorts, _mm512_maskz_cvtps_ph(0xffff, __builtin_bit_cast(__m512, x), to_nearest));
#else
    return __builtin_bit_cast(Shorts, _mm256_cvtps_ph(__builtin_bit_cast(__m256, x), to_nearest));
#endif
}

}  // namespace
}  // namespace rope::ROPE_CHECK_ISA_NAME

#endif

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

using Float32 = Codec<Format::float32>;
using Bfloat16 = Codec<Format::bfloat16>;
using Float16 = Codec<Format::float16>;

constexpr size_t chunk = 16;

// Rounds the numbers k … k + count − 1 of a row, those of pairs i, i + 1, …; count ≤ chunk. Returns
// whether the rounding of one is undecided.
template <class Number>
__attribute__((always_inline)) inline bool round_some(size_t count, const TileSource& from,
                                                      size_t i, size_t k,
                                                      typename Number::Stored* __restrict c,
                                                      typename Number::Stored* __restrict s) {
    const double* __restrict block_c = from.block_c + i;
    const double* __restrict block_s = from.block_s + i;
    const double* __restrict base_c = from.base_c + k;
    const double* __restrict base_s = from.base_s + k;
    const double error = from.error;
    const auto round = [](double x) { return bits_of(Number::rounded(x)); };
    uint32_t of_c[chunk], of_s[chunk], doubt = 0;
    for (size_t l = 0; l < count; ++l) {
        const double near_c = block_c[l] * base_c[l] - block_s[l] * base_s[l];
        const double near_s = block_s[l] * base_c[l] + block_c[l] * base_s[l];
        of_c[l] = settle(near_c - error, near_c + error, doubt, round);
        of_s[l] = settle(near_s - error, near_s + error, doubt, round);
    }
    for (size_t l = 0; l < count; ++l) {
        c[l] = Number::exactly(__builtin_bit_cast(float, of_c[l]));
        s[l] = Number::exactly(__builtin_bit_cast(float, of_s[l]));
    }
    return doubt != 0;
}

// Bit r of the result is set if the rounding of a number in row r is undecided.
template <class Number>
uint32_t plain_tile(size_t rows, size_t stride, const TileSource* from, size_t,
                    typename Number::Stored* c, typename Number::Stored* s) {
    uint32_t doubts = 0;
    for (size_t r = 0; r < rows; ++r) {
        size_t i = 0, k = r * stride;
        bool doubt = false;
        for (; i + chunk <= stride; i += chunk, k += chunk)
            doubt |= round_some<Number>(chunk, *from, i, k, c + k, s + k);
        doubt |= round_some<Number>(stride - i, *from, i, k, c + k, s + k);
        doubts |= uint32_t{doubt} << r;
    }
    return doubts;
}

#ifdef __AVX2__

// low ≤ exact rotation of block by base ≤ high; the error joins a sum that is needed anyway.
template <class Values>
struct Bounds {
    Values low_c, low_s, high_c, high_s;

    template <class Number>
    Bounds(const Number* block_c, const Number* block_s, const Number* base_c, const Number* base_s,
           Number error) {
        const auto bc = load<Values>(block_c), bs = load<Values>(block_s);
        const auto x = load<Values>(base_c), y = load<Values>(base_s);
        low_c = bc * x - (bs * y + error);
        low_s = bs * x + (bc * y - error);
        high_c = low_c + 2 * error;
        high_s = low_s + 2 * error;
    }
};

// Rows have at least `lanes` numbers. The last ones of a row may be computed twice.
template <size_t piece>
uint32_t build_float32(size_t rows, size_t stride, const TileSource& from, float* c, float* s) {
    constexpr size_t lanes = width / sizeof(double);
    const TileSource at = from;
    uint32_t doubts = 0;
    for (size_t r = 0; r < rows; ++r) {
        Longs doubt{};
#pragma GCC unroll 2  // a full cache line per iteration
        for (size_t next = 0; next < stride; next += lanes) {
            const size_t i = next < stride - lanes ? next : stride - lanes, k = r * stride + i;
            const Bounds<Doubles> b(at.block_c + i, at.block_s + i, at.base_c + k, at.base_s + k,
                                    at.error);
            settle(b.low_c, b.high_c, doubt, rounded_bits<Longs, Doubles>);
            settle(b.low_s, b.high_s, doubt, rounded_bits<Longs, Doubles>);
            store<piece>(c + k, __builtin_convertvector(b.low_c, NarrowFloats));
            store<piece>(s + k, __builtin_convertvector(b.low_s, NarrowFloats));
        }
        doubts |= uint32_t{any(doubt >> 29)} << r;
    }
    return doubts;
}

// Rounds to 16 bits with float32 arithmetic, which decides most numbers.
struct NearBfloat16 {
    using Number = Bfloat16;
    using Rounded = Ints;
    static constexpr uint32_t kept = 0xffff0000;
    static Rounded round(const Floats& x) { return __builtin_bit_cast(Ints, x) + 0x8000; }
    static Shorts stored(const Rounded& x) { return narrowed(x >> 16); }
};

struct NearFloat16 {
    using Number = Float16;
    using Rounded = Shorts;
    static constexpr uint16_t kept = 0xffff;
    static Rounded round(const Floats& x) { return to_float16(x); }
    static Shorts stored(const Rounded& x) { return x; }
};

template <class Near, size_t piece>
uint32_t build_16_bits(size_t rows, size_t stride, const TileSource& from, uint16_t* c,
                       uint16_t* s) {
    constexpr size_t lanes = width / sizeof(float);
    const TurnedTile<float> near = from.near;
    uint32_t doubts = 0;
    for (size_t r = 0; r < rows; ++r)
        for (size_t next = 0; next < stride; next += lanes) {
            const size_t i = next < stride - lanes ? next : stride - lanes, k = r * stride + i;
            const Bounds<Floats> b(near.block_c + i, near.block_s + i, near.base_c + k,
                                   near.base_s + k, near.error);
            typename Near::Rounded doubt{};
            Shorts stored_c = Near::stored(settle(b.low_c, b.high_c, doubt, Near::round));
            Shorts stored_s = Near::stored(settle(b.low_s, b.high_s, doubt, Near::round));
            if (any(doubt & Near::kept)) {
                uint16_t surely_c[chunk], surely_s[chunk];
                static_assert(lanes <= chunk);
                const bool is_in_doubt =
                    round_some<typename Near::Number>(lanes, from, i, k, surely_c, surely_s);
                doubts |= uint32_t{is_in_doubt} << r;
                __builtin_memcpy(&stored_c, surely_c, sizeof stored_c);
                __builtin_memcpy(&stored_s, surely_s, sizeof stored_s);
            }
            store<piece>(c + k, stored_c);
            store<piece>(s + k, stored_s);
        }
    return doubts;
}

uint32_t float32_tile(size_t rows, size_t stride, const TileSource* from, size_t piece, float* c,
                      float* s) {
    if (stride < width / sizeof(double)) return plain_tile<Float32>(rows, stride, from, 0, c, s);
    const auto build = piece == 32   ? build_float32<32>
                       : piece == 16 ? build_float32<16>
                                     : build_float32<0>;
    return build(rows, stride, *from, c, s);
}

template <class Near>
uint32_t near_tile(size_t rows, size_t stride, const TileSource* from, size_t piece, uint16_t* c,
                   uint16_t* s) {
    if (stride < width / sizeof(float))
        return plain_tile<typename Near::Number>(rows, stride, from, 0, c, s);
    const auto build = piece == 32   ? build_16_bits<Near, 32>
                       : piece == 16 ? build_16_bits<Near, 16>
                                     : build_16_bits<Near, 0>;
    return build(rows, stride, *from, c, s);
}

#endif

}  // namespace

extern const TableKernels tables;
#ifdef __AVX2__
const TableKernels tables{float32_tile, near_tile<NearBfloat16>, near_tile<NearFloat16>};
#else
const TableKernels tables{plain_tile<Float32>, plain_tile<Bfloat16>, plain_tile<Float16>};
#endif

}  // namespace rope::ROPE_CHECK_ISA_NAME
