// Rows of a table as they are stored. Compiled with contraction: Ziv's test lets through only what
// every number within the error rounds to, so that the bits that are stored do not depend on the
// last ones of a product.
#include "rope/kernels/table.hpp"

#include "rope/kernels/unit.hpp"
#include "rope/kernels/vector.hpp"

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

// x to so many bits, no finer than those of `least`: adding 1.5·2^52 spacings leaves none between
template <int bits>
float round_to_bits(double x, double least) {
    constexpr double spacings = 1.5 * static_cast<double>(uint64_t{1} << (53 - bits));
    constexpr uint64_t exponent = 0x7ff0000000000000;
    const double power = __builtin_bit_cast(double, __builtin_bit_cast(uint64_t, x) & exponent);
    const double large = (power > least ? power : least) * spacings;
    return static_cast<float>((x + large) - large);
}

// `round` is to nearest, ties to even, and exact in float, which `stored` stores.
struct Float32 {
    using Stored = float;
    static float round(double x) { return static_cast<float>(x); }
    static float stored(float x) { return x; }
};

struct Bfloat16 {
    using Stored = uint16_t;
    static float round(double x) { return round_to_bits<8>(x, 0x1p-126); }
    static uint16_t stored(float x) { return static_cast<uint16_t>(bits_of(x) >> 16); }
};

struct Float16 {
    using Stored = uint16_t;
    static float round(double x) { return round_to_bits<11>(x, 0x1p-14); }
    // 2^-112 takes float16's least exponent to float32's; what is too large is infinite
    static uint16_t stored(float x) {
        const uint32_t scaled = bits_of(x * 0x1p-112F) >> 13 & 0x3ffff;
        const uint32_t size = scaled < 0x7c00 ? scaled : 0x7c00;
        return static_cast<uint16_t>(size | (bits_of(x) >> 16 & 0x8000));
    }
};

constexpr size_t chunk = 16;

// Numbers k … k + count − 1 of a row, which pairs i … have; count ≤ chunk. Returns whether one is
// in doubt.
template <class Format>
__attribute__((always_inline)) inline bool round_some(size_t count, const TileSource& from,
                                                      size_t i, size_t k,
                                                      typename Format::Stored* __restrict c,
                                                      typename Format::Stored* __restrict s) {
    const double* __restrict block_c = from.block_c + i;
    const double* __restrict block_s = from.block_s + i;
    const double* __restrict base_c = from.base_c + k;
    const double* __restrict base_s = from.base_s + k;
    const double error = from.error;
    float low_c[chunk], low_s[chunk];
    uint32_t differ = 0;
    for (size_t l = 0; l < count; ++l) {
        const double near_c = block_c[l] * base_c[l] - block_s[l] * base_s[l];
        const double near_s = block_s[l] * base_c[l] + block_c[l] * base_s[l];
        low_c[l] = Format::round(near_c - error);
        low_s[l] = Format::round(near_s - error);
        differ |= bits_of(low_c[l]) ^ bits_of(Format::round(near_c + error));
        differ |= bits_of(low_s[l]) ^ bits_of(Format::round(near_s + error));
    }
    for (size_t l = 0; l < count; ++l) {
        c[l] = Format::stored(low_c[l]);
        s[l] = Format::stored(low_s[l]);
    }
    return differ != 0;
}

// Returns which rows have a number in doubt: bit r of row r.
template <class Format>
uint32_t plain_tile(size_t rows, size_t stride, const TileSource* from, size_t,
                    typename Format::Stored* c, typename Format::Stored* s) {
    uint32_t doubts = 0;
    for (size_t r = 0; r < rows; ++r) {
        size_t i = 0, k = r * stride;
        bool doubt = false;
        for (; i + chunk <= stride; i += chunk, k += chunk)
            doubt |= round_some<Format>(chunk, *from, i, k, c + k, s + k);
        doubt |= round_some<Format>(stride - i, *from, i, k, c + k, s + k);
        doubts |= uint32_t{doubt} << r;
    }
    return doubts;
}

#ifdef __AVX2__

// low ≤ block turned by base ≤ high: the error goes into a sum that exists anyway.
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

Longs boundaries_between(const Doubles& low, const Doubles& high) {
    return rounded_bits<Longs>(low) ^ rounded_bits<Longs>(high);
}

// Rows have at least `lanes` numbers; the last ones of a row are computed twice where they must.
template <size_t piece>
uint32_t build_float32(size_t rows, size_t stride, const TileSource& from, float* c, float* s) {
    constexpr size_t lanes = width / sizeof(double);
    const TileSource at = from;
    uint32_t doubts = 0;
    for (size_t r = 0; r < rows; ++r) {
        Longs between{};
#pragma GCC unroll 2  // a whole cache line each
        for (size_t next = 0; next < stride; next += lanes) {
            const size_t i = next < stride - lanes ? next : stride - lanes, k = r * stride + i;
            const Bounds<Doubles> b(at.block_c + i, at.block_s + i, at.base_c + k, at.base_s + k,
                                    at.error);
            between |=
                boundaries_between(b.low_c, b.high_c) | boundaries_between(b.low_s, b.high_s);
            store<piece>(c + k, __builtin_convertvector(b.low_c, NarrowFloats));
            store<piece>(s + k, __builtin_convertvector(b.low_s, NarrowFloats));
        }
        doubts |= uint32_t{any(between >> 29)} << r;
    }
    return doubts;
}

// To 16 bits by float32's arithmetic, which settles most of them.
struct NearBfloat16 {
    using Format = Bfloat16;
    using Rounded = Ints;
    static constexpr uint32_t kept = 0xffff0000;
    static Rounded round(const Floats& x) { return __builtin_bit_cast(Ints, x) + 0x8000; }
    static Shorts stored(const Rounded& x) { return narrowed(x >> 16); }
};

struct NearFloat16 {
    using Format = Float16;
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
            const auto cos = Near::round(b.low_c), sin = Near::round(b.low_s);
            const auto between = (cos ^ Near::round(b.high_c)) | (sin ^ Near::round(b.high_s));
            Shorts stored_c = Near::stored(cos), stored_s = Near::stored(sin);
            if (any(between & Near::kept)) {
                uint16_t surely_c[chunk], surely_s[chunk];
                static_assert(lanes <= chunk);
                const bool doubt =
                    round_some<typename Near::Format>(lanes, from, i, k, surely_c, surely_s);
                doubts |= uint32_t{doubt} << r;
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
        return plain_tile<typename Near::Format>(rows, stride, from, 0, c, s);
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
