// Vectors as they are stored: float32, bfloat16 and float16.
#include "rope/kernels/rotation.hpp"

#include "rope/kernels/unit.hpp"
#include "rope/kernels/vector.hpp"

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

float from_bits(uint32_t bits) { return __builtin_bit_cast(float, bits); }

// What numbers are stored as: `stored` rounds to nearest, ties to even.
struct Float32 {
    using Stored = float;
    static float stored(float x) { return x; }
    static float loaded(float x) { return x; }
#ifdef __AVX2__
    static Floats stored(const Floats& x) { return x; }
#endif
};

struct Bfloat16 {
    using Stored = uint16_t;
    static uint16_t stored(float x) {
        const uint32_t bits = bits_of(x);
        const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
        return static_cast<uint16_t>((x == x ? rounded : bits | 0x400000) >> 16);
    }
    static float loaded(uint16_t bits) { return from_bits(uint32_t{bits} << 16); }
#ifdef __AVX2__
    static Shorts stored(const Floats& x) {
        const Ints bits = __builtin_bit_cast(Ints, x), rounded = bits + 0x7fff + (bits >> 16 & 1);
        const auto is_number = (bits & 0x7fffffff) <= 0x7f800000;
        return narrowed((is_number ? rounded : bits | 0x400000) >> 16);
    }
    static Floats loaded(const Shorts& bits) {
        return __builtin_bit_cast(Floats, __builtin_convertvector(bits, Ints) << 16);
    }
#endif
};

struct Float16 {
    using Stored = uint16_t;
    static uint16_t stored(float x) {
        const uint32_t all = bits_of(x), sign = all >> 16 & 0x8000, bits = all & 0x7fffffff;
        const float size = from_bits(bits);
        // normal: exponents are 112 apart; below 2^-14 the last bit of size + ½ is 2^-24
        const uint32_t normal = ((bits + 0xfff + (bits >> 13 & 1)) >> 13) - (112 << 10);
        const uint32_t small = bits_of(size + 0.5F) - bits_of(0.5F);
        const uint32_t finite = size < 0x1p-14F ? small : normal;
        const uint32_t large = size == size ? 0x7c00 : 0x7e00 | (bits >> 13 & 0x1ff);
        return static_cast<uint16_t>(sign | (size < 65520.0F ? finite : large));
    }
    static float loaded(uint16_t bits) {
        const uint32_t size = bits & 0x7fff;
        const float finite = from_bits(size << 13) * 0x1p112F;
        const uint32_t all = size >= 0x7c00 ? 0x7f800000 | size << 13 : bits_of(finite);
        return from_bits(all | static_cast<uint32_t>(bits & 0x8000) << 16);
    }
#ifdef __AVX2__
    static Shorts stored(const Floats& x) { return to_float16(x); }
    static Floats loaded(const Shorts& bits) { return of_float16(bits); }
#endif
};

// No iteration reads what another wrote, be x and y the same or apart.
#ifdef __clang__
#define ROPE_CHECK_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ROPE_CHECK_INDEPENDENT _Pragma("GCC ivdep")
#endif

template <class Format>
void rotate_pair(typename Format::Stored x1, typename Format::Stored x2, float c, float s,
                 typename Format::Stored& y1, typename Format::Stored& y2) {
    const float a = Format::loaded(x1), b = Format::loaded(x2);
    y1 = Format::stored(a * c - b * s);
    y2 = Format::stored(b * c + a * s);
}

// Pairs from `first` on, and the lanes that no pair has.
template <class Format>
void rotate_rest(size_t first, const RotatedRows& table, const float* c, const float* s,
                 const typename Format::Stored* x, typename Format::Stored* y) {
    const size_t pairs = table.pairs;
    if (table.interleaved) {
        ROPE_CHECK_INDEPENDENT
        for (size_t i = first; i < pairs; ++i)
            rotate_pair<Format>(x[2 * i], x[2 * i + 1], c[i], s[i], y[2 * i], y[2 * i + 1]);
    } else {
        ROPE_CHECK_INDEPENDENT
        for (size_t i = first; i < pairs; ++i)
            rotate_pair<Format>(x[i], x[i + pairs], c[i], s[i], y[i], y[i + pairs]);
    }
    ROPE_CHECK_INDEPENDENT
    for (size_t lane = 2 * pairs; lane < table.head_dim; ++lane) y[lane] = x[lane];
}

#ifdef __AVX2__

constexpr size_t lanes = width / sizeof(float);

template <class Format>
Floats floats_at(const typename Format::Stored* x) {
    if constexpr (sizeof *x == 4)
        return load<Floats>(x);
    else
        return Format::loaded(load<Shorts>(x));
}

// Returns how many pairs.
template <class Format, size_t piece>
size_t rotate_halves(size_t pairs, const float* c, const float* s, const typename Format::Stored* x,
                     typename Format::Stored* y) {
    size_t i = 0;
    for (; i + lanes <= pairs; i += lanes) {
        const Floats cos = load<Floats>(c + i), sin = load<Floats>(s + i);
        const Floats a = floats_at<Format>(x + i), b = floats_at<Format>(x + i + pairs);
        store<piece>(y + i, Format::stored(a * cos - b * sin));
        store<piece>(y + i + pairs, Format::stored(b * cos + a * sin));
    }
    return i;
}

// Each number of `lanes`/2 twice, beside itself.
Longs twice(const float* x) {
    const Longs low = __builtin_convertvector(load<NarrowInts>(x), Longs);
    return low | low << 32;
}

// (x1, x2)·c + (x2, x1)·(−s, s)
template <class Format, size_t piece>
size_t rotate_neighbours(size_t pairs, const float* c, const float* s,
                         const typename Format::Stored* x, typename Format::Stored* y) {
    constexpr uint64_t sign_of_first = 0x80000000;
    size_t i = 0;
    for (; i + lanes / 2 <= pairs; i += lanes / 2) {
        const auto cos = __builtin_bit_cast(Floats, twice(c + i));
        const auto sin = __builtin_bit_cast(Floats, twice(s + i) ^ sign_of_first);
        const Floats own = floats_at<Format>(x + 2 * i);
        const auto both = __builtin_bit_cast(Longs, own);
        const auto other = __builtin_bit_cast(Floats, both >> 32 | both << 32);
        store<piece>(y + 2 * i, Format::stored(own * cos + other * sin));
    }
    return i;
}

template <class Format, size_t piece>
void rotate_rows(const RotatedRows& table, const typename Format::Stored* x,
                 typename Format::Stored* y) {
    constexpr size_t line = 64 / sizeof *x;
    const size_t rows_ahead = 1 + 32 * line / table.head_dim;  // 2 KiB: several streams at once
    const auto rotate_most =
        table.interleaved ? rotate_neighbours<Format, piece> : rotate_halves<Format, piece>;
    for (size_t r = 0; r < table.rows; ++r, x += table.head_dim, y += table.head_dim) {
        const float* c = table.cos + r * table.pairs;
        const float* s = table.sin + r * table.pairs;
        if (r + rows_ahead < table.rows)
            for (size_t lane = 0; lane < table.head_dim; lane += line)
                __builtin_prefetch(x + rows_ahead * table.head_dim + lane);
        rotate_rest<Format>(rotate_most(table.pairs, c, s, x, y), table, c, s, x, y);
    }
}

template <class Format>
void rotate(const RotatedRows* table, size_t piece, const typename Format::Stored* x,
            typename Format::Stored* y) {
    const auto rotate_all = piece == 32   ? rotate_rows<Format, 32>
                            : piece == 16 ? rotate_rows<Format, 16>
                                          : rotate_rows<Format, 0>;
    rotate_all(*table, x, y);
}

#else

template <class Format>
void rotate(const RotatedRows* table, size_t, const typename Format::Stored* x,
            typename Format::Stored* y) {
    const size_t pairs = table->pairs, head_dim = table->head_dim;
    for (size_t r = 0; r < table->rows; ++r, x += head_dim, y += head_dim)
        rotate_rest<Format>(0, *table, table->cos + r * pairs, table->sin + r * pairs, x, y);
}

#endif

}  // namespace

extern const RotationKernels rotation;
const RotationKernels rotation{rotate<Float32>, rotate<Bfloat16>, rotate<Float16>};

}  // namespace rope::ROPE_CHECK_ISA_NAME
