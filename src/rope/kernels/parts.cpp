// Numbers in three parts.
#include "rope/kernels/parts.hpp"

#include "rope/kernels/unit.hpp"

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

// high + low with |low| < 2^-46
struct Sum {
    double high, low;
};

// x·y ∓ u·v in parts. `top` is a multiple of 2^-50 and `middle` one of 2^-75 with |middle| ≤ 2^-24:
// both are exact, and so is the error of their sum.
struct Parts {
    double one, two, three, rest;  // rest = two + three
};

inline Parts loaded(const double* const x[3], size_t k) {
    return {x[0][k], x[1][k], x[2][k], x[1][k] + x[2][k]};
}

inline Sum sum_of(double top, double middle, double low) {
    const double high = top + middle;
    return {high, (middle - (high - top)) + low};
}

inline Sum difference_of_products(const Parts& x, const Parts& y, const Parts& u, const Parts& v) {
    return sum_of(x.one * y.one - u.one * v.one,
                  (x.one * y.two + x.two * y.one) - (u.one * v.two + u.two * v.one),
                  (x.rest * y.rest - u.rest * v.rest) +
                      ((x.one * y.three + x.three * y.one) - (u.one * v.three + u.three * v.one)));
}

inline Sum sum_of_products(const Parts& x, const Parts& y, const Parts& u, const Parts& v) {
    return sum_of(x.one * y.one + u.one * v.one,
                  (x.one * y.two + x.two * y.one) + (u.one * v.two + u.two * v.one),
                  (x.rest * y.rest + u.rest * v.rest) +
                      ((x.one * y.three + x.three * y.one) + (u.one * v.three + u.three * v.one)));
}

// Adding 1.5·2^(52 − b) leaves the nearest multiple of 2^-b.
inline void split(Sum x, double& one, double& two, double& three) {
    constexpr double to_25 = 0x1.8p27, to_50 = 0x1.8p2;
    const double high = x.high + x.low, low = x.low - (high - x.high);
    one = (high + to_25) - to_25;
    const double rest = high - one;
    two = (rest + to_50) - to_50;
    three = (rest - two) + low;
}

void turn(size_t stride, const PartsOfRows* a, const PartsOfRows* b, double* const c[3],
          double* const s[3]) {
    double *c1 = c[0], *c2 = c[1], *c3 = c[2], *s1 = s[0], *s2 = s[1], *s3 = s[2];
    const PartsOfRows x = *a, y = *b;
    for (size_t i = 0; i < stride; ++i) {
        const Parts xc = loaded(x.c, i), xs = loaded(x.s, i);
        const Parts yc = loaded(y.c, i), ys = loaded(y.s, i);
        const Sum cos = difference_of_products(xc, yc, xs, ys);
        const Sum sin = sum_of_products(xs, yc, xc, ys);
        split(cos, c1[i], c2[i], c3[i]);
        split(sin, s1[i], s2[i], s3[i]);
    }
}

inline double rounded(Sum x, double error, double scale) {
    const double least = x.high + (x.low - error), most = x.high + (x.low + error);
    return least == most ? least * scale : __builtin_nan("");
}

size_t round(size_t rows, size_t stride, const PartsOfRows* block, const PartsOfRows* base,
             double error, double scale, double* __restrict c, double* __restrict s) {
    const PartsOfRows x = *block, y = *base;
    size_t doubts = 0;
    for (size_t r = 0; r < rows; ++r) {
        int32_t doubts_of_row = 0;
        for (size_t i = 0; i < stride; ++i) {
            const size_t k = r * stride + i;
            const Parts xc = loaded(x.c, i), xs = loaded(x.s, i);
            const Parts yc = loaded(y.c, k), ys = loaded(y.s, k);
            const double cos = rounded(difference_of_products(xc, yc, xs, ys), error, scale);
            const double sin = rounded(sum_of_products(xs, yc, xc, ys), error, scale);
            c[k] = cos;
            s[k] = sin;
            doubts_of_row += (cos == cos ? 0 : 1) + (sin == sin ? 0 : 1);
        }
        doubts += static_cast<size_t>(doubts_of_row);
    }
    return doubts;
}

}  // namespace

extern const PartsKernels parts;
const PartsKernels parts{turn, round};

}  // namespace rope::ROPE_CHECK_ISA_NAME
