// Numbers as they are stored: float32, bfloat16 and float16. Compiled as kernels.cpp is, and with
// the same care.
#include "rope/kernels.hpp"

#ifdef __FAST_MATH__
#error "rope-check must not be compiled with -ffast-math"
#endif

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

using std::int32_t;
using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;

double from_bits(uint64_t bits) {
    double x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}
uint64_t bits_of(double x) {
    uint64_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}
float from_bits(uint32_t bits) {
    float x;
    __builtin_memcpy(&x, &bits, sizeof x);
    return x;
}
uint32_t bits_of(float x) {
    uint32_t bits;
    __builtin_memcpy(&bits, &x, sizeof bits);
    return bits;
}

// What numbers are stored as. `round` is to nearest, ties to even, and exact in float; `exact`
// stores a number of the format, `stored` rounds any float to it.
struct Float32 {
    using Stored = float;
    static float round(double x) { return static_cast<float>(x); }
    static float exact(float x) { return x; }
    static float stored(float x) { return x; }
    static float loaded(float x) { return x; }
};

// x to so many bits, no finer than those of `least`: adding 1.5·2^52 spacings leaves none between
template <int bits>
float round_to_bits(double x, double least) {
    constexpr double spacings = 1.5 * static_cast<double>(uint64_t{1} << (53 - bits));
    const double power = from_bits(bits_of(x) & 0x7ff0000000000000);
    const double large = (power > least ? power : least) * spacings;
    return static_cast<float>((x + large) - large);
}

struct Bfloat16 {
    using Stored = uint16_t;
    static float round(double x) { return round_to_bits<8>(x, 0x1p-126); }
    static uint16_t exact(float x) { return static_cast<uint16_t>(bits_of(x) >> 16); }
    static uint16_t stored(float x) {
        const uint32_t bits = bits_of(x);
        const uint32_t rounded = bits + 0x7fff + (bits >> 16 & 1);
        return static_cast<uint16_t>((x == x ? rounded : bits | 0x400000) >> 16);
    }
    static float loaded(uint16_t bits) { return from_bits(uint32_t{bits} << 16); }
};

struct Float16 {
    using Stored = uint16_t;
    static float round(double x) { return round_to_bits<11>(x, 0x1p-14); }
    // 2^-112 takes float16's least exponent to float32's
    static uint16_t exact(float x) {
        const uint32_t size = bits_of(x * 0x1p-112F) >> 13 & 0x7fff;
        return static_cast<uint16_t>(size | (bits_of(x) >> 16 & 0x8000));
    }
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
};

template <class Format>
size_t tile_of(size_t rows, size_t stride, const TileSource* source,
               typename Format::Stored* __restrict c, typename Format::Stored* __restrict s) {
    const double* __restrict block_c = source->block_c;
    const double* __restrict block_s = source->block_s;
    const double* __restrict base_c = source->base_c;
    const double* __restrict base_s = source->base_s;
    const double error = source->error;
    size_t doubts = 0;
    for (size_t r = 0; r < rows; ++r) {
        int32_t doubts_of_row = 0;
        for (size_t i = 0; i < stride; ++i) {
            const size_t k = r * stride + i;
            const double near_c = block_c[i] * base_c[k] - block_s[i] * base_s[k];
            const double near_s = block_s[i] * base_c[k] + block_c[i] * base_s[k];
            const float low_c = Format::round(near_c - error);
            const float low_s = Format::round(near_s - error);
            const float high_c = Format::round(near_c + error);
            const float high_s = Format::round(near_s + error);
            c[k] = Format::exact(low_c);
            s[k] = Format::exact(low_s);
            doubts_of_row += (low_c == high_c ? 0 : 1) + (low_s == high_s ? 0 : 1);
        }
        doubts += static_cast<size_t>(doubts_of_row);
    }
    return doubts;
}

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

template <class Format>
void rotate_rows(const RotatedRows* table, const typename Format::Stored* x,
                 typename Format::Stored* y) {
    const size_t pairs = table->pairs, head_dim = table->head_dim;
    for (size_t r = 0; r < table->rows; ++r, x += head_dim, y += head_dim) {
        const float* c = table->cos + r * pairs;
        const float* s = table->sin + r * pairs;
        if (table->interleaved) {
            ROPE_CHECK_INDEPENDENT
            for (size_t i = 0; i < pairs; ++i)
                rotate_pair<Format>(x[2 * i], x[2 * i + 1], c[i], s[i], y[2 * i], y[2 * i + 1]);
        } else {
            ROPE_CHECK_INDEPENDENT
            for (size_t i = 0; i < pairs; ++i)
                rotate_pair<Format>(x[i], x[i + pairs], c[i], s[i], y[i], y[i + pairs]);
        }
        ROPE_CHECK_INDEPENDENT
        for (size_t lane = 2 * pairs; lane < head_dim; ++lane) y[lane] = x[lane];
    }
}

}  // namespace

extern const StorageKernels storage;
const StorageKernels storage{tile_of<Float32>,     tile_of<Bfloat16>,     tile_of<Float16>,
                             rotate_rows<Float32>, rotate_rows<Bfloat16>, rotate_rows<Float16>};

}  // namespace rope::ROPE_CHECK_ISA_NAME
