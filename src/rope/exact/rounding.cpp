#include "rope/exact/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace rope {
namespace {

using Function = int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// The nearest number of the format to amplitude·f(angle).
double decide(Function* f, const BigReal& angle, const BigReal& amplitude, Format format) {
    for (long bits = 96; bits <= 192; bits *= 2) {
        BigReal value(0, {bits});
        f(value.raw(), angle.raw(), MPFR_RNDN);
        if (mpfr_zero_p(value.raw()) != 0) return 0;
        value = value * BigReal(amplitude, {bits});
        // three roundings, each ≤ 2^-bits relative; 2^(2-bits) covers them
        const BigReal slack = value * std::ldexp(1.0, static_cast<int>(2 - bits));
        const double low = round_to(format, value - slack), high = round_to(format, value + slack);
        if (low == high) return low;
    }
    throw std::logic_error("cos or sin is within 2^-190 of a rounding boundary");
}

}  // namespace

double round_to(Format format, const BigReal& x) {
    if (mpfr_regular_p(x.raw()) == 0) return x.to_double();
    // x = q·2^spacing with q of p bits
    const long exponent = mpfr_get_exp(x.raw()) - 1;
    const long spacing = std::max(exponent, static_cast<long>(smallest_exponent(format))) -
                         precision_bits(format) + 1;
    BigReal q(x);
    mpfr_mul_2si(q.raw(), q.raw(), -spacing, MPFR_RNDN);
    mpfr_rint(q.raw(), q.raw(), MPFR_RNDN);
    mpfr_mul_2si(q.raw(), q.raw(), spacing, MPFR_RNDN);
    return round_to(format, q.to_double());  // exact, but for overflow
}

double rounded_cos(const BigReal& angle, const BigReal& amplitude, Format format) {
    if (mpfr_zero_p(angle.raw()) != 0) return round_to(format, amplitude);
    return decide(mpfr_cos, angle, amplitude, format);
}

double rounded_sin(const BigReal& angle, const BigReal& amplitude, Format format) {
    if (mpfr_zero_p(angle.raw()) != 0) return 0;
    return decide(mpfr_sin, angle, amplitude, format);
}

void rounded_cos_sin(const BigReal& angle, const BigReal& amplitude, Format format, double& cos,
                     double& sin) {
    cos = rounded_cos(angle, amplitude, format);
    sin = rounded_sin(angle, amplitude, format);
}

}  // namespace rope
