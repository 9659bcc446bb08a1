#include "rope/exact/elementary.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/exact/big_real.hpp"

namespace rope::portable {
namespace {

constexpr Precision of_double{53};

double log_by_mpfr(double x) {
    BigReal y(x, of_double);
    mpfr_log(y.raw(), y.raw(), MPFR_RNDN);
    return y.to_double();
}

// atan(t) = atan(c) + atan(u), where 0 ≤ t = y/x ≤ 1, c is the multiple of 1/8 nearest to t, and u
// = (y − cx)/(x + cy), |u| ≤ 1/16.
double atan_of_quotient(double y, double x) {
    constexpr double of_eighths[] = {0,
                                     0x1.fd5ba9aac2f6ep-4,
                                     0x1.f5b75f92c80ddp-3,
                                     0x1.6f61941e4def1p-2,
                                     0x1.dac670561bb4fp-2,
                                     0x1.1e00babdefeb4p-1,
                                     0x1.4978fa3269ee1p-1,
                                     0x1.700a7c5784634p-1,
                                     0x1.921fb54442d18p-1};
    const int nearest = static_cast<int>(std::floor(8 * (y / x) + 0.5));
    const double c = nearest / 8.0, u = (y - c * x) / (x + c * y), z = u * u;
    double sum = 0;
    for (int n = 15; n > 1; n -= 2) sum = z * (1.0 / n - sum);
    return of_eighths[nearest] + (u - u * sum);
}

}  // namespace

double exp(double x) {
    BigReal y(x, of_double);
    mpfr_exp(y.raw(), y.raw(), MPFR_RNDN);
    return y.to_double();
}

double pow(double x, double y) {
    return pow(BigReal(x, of_double), BigReal(y, of_double)).to_double();
}

// x = 2^k·(1 + f), √½ ≤ 1 + f < √2, s = f/(2 + f):
// log(1 + f) = 2s + 2s³/3 + … = f − f²/2 + s·(f²/2 + 2s²/3 + 2s⁴/5 + …)
double log(double x) {
    if (!std::isnormal(x) || x < 0) return log_by_mpfr(x);
    constexpr double ln2_high = 0x1.62e42feep-1, ln2_low = 0x1.a39ef35793c76p-33;
    int k = 0;
    double m = std::frexp(x, &k);
    if (m < std::numbers::sqrt2 / 2) m *= 2, --k;
    const double f = m - 1, s = f / (2 + f), z = s * s, half = 0.5 * f * f;
    double sum = 0;
    for (int n = 23; n > 1; n -= 2) sum = z * (2.0 / n + sum);
    return k * ln2_high - ((half - (s * (half + sum) + k * ln2_low)) - f);
}

double atan2(double y, double x) {
    constexpr double pi_low = 0x1.1a62633145c07p-53;
    const double a = std::abs(x), b = std::abs(y);
    double angle = a == 0 && b == 0 ? 0 : a < b ? atan_of_quotient(a, b) : atan_of_quotient(b, a);
    if (a < b)
        angle = std::numbers::pi / 2 + (std::copysign(angle, -x) + pi_low / 2);
    else if (std::signbit(x))
        angle = std::numbers::pi - (angle - pi_low);
    return std::copysign(angle, y);
}

double hypot(double x, double y) {
    const double most = std::max(std::abs(x), std::abs(y));
    const double scale = most < 0x1p-400 ? 0x1p600 : most > 0x1p400 ? 0x1p-600 : 1;
    x *= scale, y *= scale;
    return std::sqrt(x * x + y * y) / scale;
}

}  // namespace rope::portable
