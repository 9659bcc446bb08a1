// Cos and sin of angles, and the table of all kernels.
#include "rope/kernels/kernels.hpp"

#include "rope/exact/codec.hpp"
#include "rope/kernels/unit.hpp"

#define ROPE_CHECK_TEXT2(x) #x
#define ROPE_CHECK_TEXT(x) ROPE_CHECK_TEXT2(x)

namespace rope::ROPE_CHECK_ISA_NAME {

extern const CheckKernels checks;
extern const RecoveryKernels recovery;
extern const SumKernels sums;

namespace {

// eight doubles: one AVX-512 register, two or four registers of the smaller sets
constexpr size_t lanes = 8;

// Minimax on |x| ≤ 1/8 turn (Sollya fpminimax): sin(2πx) = x·S(x²), cos(2πx) = C(x²),
// relative error 2^-54.5, absolute error 2^-61.
inline void eighth_turn(double x, double& c, double& s) {
    const double z = x * x;
    double p = 0x1.e357ef99c0be5p1;
    p = p * z + -0x1.e2fe76fdff88ap3;
    p = p * z + 0x1.50782d5f14823p5;
    p = p * z + -0x1.32d2ccdfe9424p6;
    p = p * z + 0x1.466bc67754fffp6;
    p = p * z + -0x1.4abbce625be09p5;
    p = p * z + 0x1.921fb54442d18p2;
    s = x * p;
    double q = -0x1.b14b6a5c553adp0;
    q = q * z + 0x1.f9c840f8b10b9p2;
    q = q * z + -0x1.a6d1e6b560f58p4;
    q = q * z + 0x1.e1f5067b05ae7p5;
    q = q * z + -0x1.55d3c7e3c2d7cp6;
    q = q * z + 0x1.03c1f081b5a65p6;
    q = q * z + -0x1.3bd3cc9be45dep4;
    c = q * z + 1.0;
}

// cos and sin of x + quadrant/4 turns
inline void quarter_turns(double x, uint64_t quadrant, double& c, double& s) {
    double cx, sx;
    eighth_turn(x, cx, sx);
    const bool swap = (quadrant & 1) != 0;
    const double a = swap ? sx : cx, b = swap ? cx : sx;
    c = ((quadrant + 1) & 2) != 0 ? -a : a;
    s = (quadrant & 2) != 0 ? -b : b;
}

void cos_sin_of_turns(size_t n, const uint64_t* __restrict turn, double* __restrict c,
                      double* __restrict s) {
    constexpr uint64_t eighth = uint64_t{1} << 61, quarter = uint64_t{1} << 62;
    for (size_t k = 0; k < n; ++k) {
        const uint64_t t = turn[k] + eighth;
        const int64_t r = static_cast<int64_t>(t & (quarter - 1)) - static_cast<int64_t>(eighth);
        // r = high·2^32 + low; every instruction set converts 32-bit integers
        const int32_t low = static_cast<int32_t>(r);
        const int32_t high = static_cast<int32_t>((r - low) >> 32);
        const double x = (high * 0x1p32 + low) * 0x1p-64;
        quarter_turns(x, t >> 62, c[k], s[k]);
    }
}

// angle/2π = k/4 + x, 1/2π = h1 + h2 + h3. h1 and h2 have 29 bits: their product with a float32 is
// exact.
inline void cos_sin_of_angle(double a, double& c, double& s) {
    constexpr double h1 = 0x1.45f306dp-3, h2 = 0x1.9391054p-32, h3 = 0x1.4fe13abe8fa9ap-61;
    constexpr double to_integer = 0x1.8p52;  // adding it leaves the nearest integer in the low bits
    const double t1 = a * h1, t2 = a * h2;
    const double k1 = 4 * t1 + to_integer;
    const double f = t1 - (k1 - to_integer) * 0.25;
    const double k2 = 4 * (f + t2) + to_integer;
    const double x = ((f - (k2 - to_integer) * 0.25) + t2) + a * h3;
    uint64_t q1, q2;
    __builtin_memcpy(&q1, &k1, sizeof q1);
    __builtin_memcpy(&q2, &k2, sizeof q2);
    quarter_turns(x, q1 + q2, c, s);
}

void cos_sin_of_angles(size_t n, const float* __restrict angle, double* __restrict c,
                       double* __restrict s) {
    for (size_t k = 0; k < n; ++k) cos_sin_of_angle(angle[k], c[k], s[k]);
}

// x·2^64 = position·(high·2^64 + low) / 2^64; the product of the low word in 32-bit halves
void turns_at(size_t n, uint64_t position, const uint64_t* __restrict rate_high,
              const uint64_t* __restrict rate_low, uint64_t* __restrict turn) {
    constexpr uint64_t half = 0xffffffff;
    const uint64_t m = position & half;
    for (size_t i = 0; i < n; ++i) {
        const uint64_t carry = ((rate_low[i] & half) * m) >> 32;
        turn[i] = rate_high[i] * m + (((rate_low[i] >> 32) * m + carry) >> 32);
    }
}

// a·b + c, rounded once if the processor can. Only for values that Ziv's test checks, because the
// last bits differ between instruction sets.
inline double near_sum(double a, double b, double c) {
#ifdef __FMA__
    return __builtin_fma(a, b, c);
#else
    return a * b + c;
#endif
}

// The float32 number nearest to a double has the bits of the double plus half a float32 spacing,
// except the last 29 (ties away from zero).
inline uint64_t float32_bits(double x) {
    constexpr uint64_t half = 1 << 28, kept = ~uint64_t{(1 << 29) - 1};
    return (__builtin_bit_cast(uint64_t, x) + half) & kept;
}

// Returns the float32 number nearest to [x, x + 2·error]; sets bits in `doubt` if there are two
// (Ziv's test).
inline double float32_near(double x, double error, uint64_t& doubt) {
    const uint64_t rounded = float32_bits(x);
    doubt |= rounded ^ float32_bits(x + 2 * error);
    return __builtin_bit_cast(double, rounded);
}

bool round_angles(size_t n, const float* __restrict angle, double* __restrict c,
                  double* __restrict s) {
    uint64_t doubt = 0;
    for (size_t k = 0; k < n; ++k) {
        double near_c, near_s;
        cos_sin_of_angle(angle[k], near_c, near_s);
        c[k] = float32_near(near_c - cos_sin_error, cos_sin_error, doubt);
        s[k] = float32_near(near_s - cos_sin_error, cos_sin_error, doubt);
    }
    return doubt != 0;
}

// e^{ia} = e^{imθ}·e^{iδ}, |δ| ≤ 2^-5, by Taylor series to 2^-55
bool round_near_exact(size_t rows, size_t stride, const float* __restrict position,
                      const float* __restrict inv_freq, CosSin block, CosSin base, CosSinOut own,
                      CosSinOut rounded) {
    const double* __restrict block_c = block.c, * __restrict block_s = block.s;
    const double* __restrict base_c = base.c, * __restrict base_s = base.s;
    double* __restrict own_c = own.c, * __restrict own_s = own.s;
    double* __restrict c = rounded.c, * __restrict s = rounded.s;
    uint64_t doubt = 0;
    for (size_t r = 0; r < rows; ++r) {
        const float m = position[r];
        ROPE_CHECK_INDEPENDENT
        for (size_t i = 0; i < stride; ++i) {
            const size_t k = r * stride + i;
            const double oc = block_c[i] * base_c[k] - block_s[i] * base_s[k];
            const double os = block_s[i] * base_c[k] + block_c[i] * base_s[k];
            own_c[k] = oc;
            own_s[k] = os;
            const float angle = m * inv_freq[i];
            const double delta = angle - static_cast<double>(m) * inv_freq[i];
            const double square = delta * delta;
            const double less =
                square * near_sum(square, near_sum(square, 1.0 / 720, -1.0 / 24), 0.5);
            const double sixth =
                near_sum(square, near_sum(square, 1.0 / 5040, -1.0 / 120), 1.0 / 6);
            const double sine = near_sum(square * -sixth, delta, delta);
            const double low_c = near_sum(-os, sine, near_sum(-oc, less, oc - cos_sin_error));
            const double low_s = near_sum(oc, sine, near_sum(-os, less, os - cos_sin_error));
            c[k] = float32_near(low_c, cos_sin_error, doubt);
            s[k] = float32_near(low_s, cos_sin_error, doubt);
        }
    }
    return doubt != 0;
}

// Restricted parameters save a fifth of the time; compilers ignore restrict on local variables.
[[gnu::noinline]] void turn_rows(size_t rows, size_t stride, const double* __restrict block_c,
                                 const double* __restrict block_s, const double* __restrict base_c,
                                 const double* __restrict base_s, double* __restrict c,
                                 double* __restrict s) {
    for (size_t r = 0; r < rows; ++r)
        for (size_t i = 0; i < stride; ++i) {
            const size_t k = r * stride + i;
            c[k] = block_c[i] * base_c[k] - block_s[i] * base_s[k];
            s[k] = block_s[i] * base_c[k] + block_c[i] * base_s[k];
        }
}

void add_angles(size_t rows, size_t stride, CosSin block, CosSin base, CosSinOut sum) {
    turn_rows(rows, stride, block.c, block.s, base.c, base.s, sum.c, sum.s);
}

void multiply(size_t rows, size_t stride, const float* __restrict position,
              const float* __restrict inv_freq, float* __restrict angle) {
    for (size_t r = 0; r < rows; ++r)
        for (size_t i = 0; i < stride; ++i) angle[r * stride + i] = position[r] * inv_freq[i];
}

size_t round_to_float32(size_t n, double error, const double* __restrict x,
                        double* __restrict rounded) {
    double ambiguous = 0;
    double lane[lanes] = {};
    const auto round = [&](size_t k) {
        const double v = x[k];
        rounded[k] = static_cast<float>(v);
        return rounds_alike(v, error) ? 0.0 : 1.0;
    };
    size_t k = 0;
    for (; k + lanes <= n; k += lanes)
        for (size_t l = 0; l < lanes; ++l) lane[l] += round(k + l);
    for (; k < n; ++k) ambiguous += round(k);
    for (const double count : lane) ambiguous += count;
    return static_cast<size_t>(ambiguous);
}

}  // namespace

extern const Kernels kernels;
const Kernels kernels{ROPE_CHECK_TEXT(ROPE_CHECK_ISA_NAME),
                      cos_sin_of_turns,
                      cos_sin_of_angles,
                      round_angles,
                      turns_at,
                      round_near_exact,
                      add_angles,
                      multiply,
                      round_to_float32,
                      &checks,
                      &recovery,
                      &sums};

}  // namespace rope::ROPE_CHECK_ISA_NAME
