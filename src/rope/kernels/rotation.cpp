// Vectors as they are stored: float32, bfloat16 and float16.
#include "rope/kernels/rotation.hpp"

#include "rope/kernels/unit.hpp"
#include "rope/kernels/vector.hpp"
#include "rope/number/codec.hpp"

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

using Float32 = Codec<Format::float32>;
using Bfloat16 = Codec<Format::bfloat16>;
using Float16 = Codec<Format::float16>;

template <class Number>
void rotate_pair(typename Number::Stored x1, typename Number::Stored x2, float c, float s,
                 typename Number::Stored& y1, typename Number::Stored& y2) {
    const float a = Number::value(x1), b = Number::value(x2);
    y1 = Number::nearest(a * c - b * s);
    y2 = Number::nearest(b * c + a * s);
}

// Pairs from `first` on, and the lanes that no pair has.
template <class Number>
void rotate_rest(size_t first, const RotatedRows& table, const float* c, const float* s,
                 const typename Number::Stored* x, typename Number::Stored* y) {
    const size_t pairs = table.pairs;
    if (table.interleaved) {
        ROPE_CHECK_INDEPENDENT
        for (size_t i = first; i < pairs; ++i)
            rotate_pair<Number>(x[2 * i], x[2 * i + 1], c[i], s[i], y[2 * i], y[2 * i + 1]);
    } else {
        ROPE_CHECK_INDEPENDENT
        for (size_t i = first; i < pairs; ++i)
            rotate_pair<Number>(x[i], x[i + pairs], c[i], s[i], y[i], y[i + pairs]);
    }
    ROPE_CHECK_INDEPENDENT
    for (size_t lane = 2 * pairs; lane < table.head_dim; ++lane) y[lane] = x[lane];
}

#ifdef __AVX2__

constexpr size_t lanes = width / sizeof(float);

template <class Number>
Floats floats_at(const typename Number::Stored* x) {
    if constexpr (sizeof *x == 4)
        return load<Floats>(x);
    else if constexpr (Number::rebias == 0)
        return __builtin_bit_cast(Floats, __builtin_convertvector(load<Shorts>(x), Ints)
                                              << Number::cut);
    else
        return of_float16(load<Shorts>(x));
}

// The numbers nearest to x, as they are stored.
template <class Number>
auto to(const Floats& x) {
    if constexpr (sizeof(typename Number::Stored) == 4) {
        return x;
    } else if constexpr (Number::rebias == 0) {
        const Ints bits = __builtin_bit_cast(Ints, x);
        const auto is_number = (bits & 0x7fffffff) <= 0x7f800000;
        return narrowed((is_number ? Number::carried(bits) : bits | Number::quiet << Number::cut) >>
                        Number::cut);
    } else {
        return to_float16(x);
    }
}

// Returns how many pairs.
template <class Number, size_t piece>
size_t rotate_halves(size_t pairs, const float* c, const float* s, const typename Number::Stored* x,
                     typename Number::Stored* y) {
    size_t i = 0;
    for (; i + lanes <= pairs; i += lanes) {
        const Floats cos = load<Floats>(c + i), sin = load<Floats>(s + i);
        const Floats a = floats_at<Number>(x + i), b = floats_at<Number>(x + i + pairs);
        store<piece>(y + i, to<Number>(a * cos - b * sin));
        store<piece>(y + i + pairs, to<Number>(b * cos + a * sin));
    }
    return i;
}

// Each number of `lanes`/2 twice, beside itself.
Longs twice(const float* x) {
    const Longs low = __builtin_convertvector(load<NarrowInts>(x), Longs);
    return low | low << 32;
}

// (x1, x2)·c + (x2, x1)·(−s, s)
template <class Number, size_t piece>
size_t rotate_neighbours(size_t pairs, const float* c, const float* s,
                         const typename Number::Stored* x, typename Number::Stored* y) {
    constexpr uint64_t sign_of_first = 0x80000000;
    size_t i = 0;
    for (; i + lanes / 2 <= pairs; i += lanes / 2) {
        const auto cos = __builtin_bit_cast(Floats, twice(c + i));
        const auto sin = __builtin_bit_cast(Floats, twice(s + i) ^ sign_of_first);
        const Floats own = floats_at<Number>(x + 2 * i);
        const auto both = __builtin_bit_cast(Longs, own);
        const auto other = __builtin_bit_cast(Floats, both >> 32 | both << 32);
        store<piece>(y + 2 * i, to<Number>(own * cos + other * sin));
    }
    return i;
}

template <class Number, size_t piece>
void rotate_rows(const RotatedRows& table, const typename Number::Stored* x,
                 typename Number::Stored* y) {
    constexpr size_t line = 64 / sizeof *x;
    const size_t rows_ahead = 1 + 32 * line / table.head_dim;  // 2 KiB: several streams at once
    const auto rotate_most =
        table.interleaved ? rotate_neighbours<Number, piece> : rotate_halves<Number, piece>;
    for (size_t r = 0; r < table.rows; ++r, x += table.head_dim, y += table.head_dim) {
        const float* c = table.cos + r * table.pairs;
        const float* s = table.sin + r * table.pairs;
        if (r + rows_ahead < table.rows)
            for (size_t lane = 0; lane < table.head_dim; lane += line)
                __builtin_prefetch(x + rows_ahead * table.head_dim + lane);
        rotate_rest<Number>(rotate_most(table.pairs, c, s, x, y), table, c, s, x, y);
    }
}

template <class Number>
void rotate(const RotatedRows* table, size_t piece, const typename Number::Stored* x,
            typename Number::Stored* y) {
    const auto rotate_all = piece == 32   ? rotate_rows<Number, 32>
                            : piece == 16 ? rotate_rows<Number, 16>
                                          : rotate_rows<Number, 0>;
    rotate_all(*table, x, y);
}

#else

template <class Number>
void rotate(const RotatedRows* table, size_t, const typename Number::Stored* x,
            typename Number::Stored* y) {
    const size_t pairs = table->pairs, head_dim = table->head_dim;
    for (size_t r = 0; r < table->rows; ++r, x += head_dim, y += head_dim)
        rotate_rest<Number>(0, *table, table->cos + r * pairs, table->sin + r * pairs, x, y);
}

#endif

}  // namespace

extern const RotationKernels rotation;
const RotationKernels rotation{rotate<Float32>, rotate<Bfloat16>, rotate<Float16>};

}  // namespace rope::ROPE_CHECK_ISA_NAME
