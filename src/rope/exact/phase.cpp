#include "rope/exact/phase.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

namespace rope {
namespace {

// Returns the next 64 bits of x in [0, 1) and removes them from x.
std::uint64_t take_64_bits(BigReal& x) {
    static_assert(sizeof(unsigned long) == 8);
    mpfr_mul_2ui(x.raw(), x.raw(), 64, MPFR_RNDN);
    const std::uint64_t bits = mpfr_get_ui(x.raw(), MPFR_RNDZ);
    mpfr_frac(x.raw(), x.raw(), MPFR_RNDN);
    return bits;
}

// floor(r/q · 2^128) for r < q < 2^63
Phase fraction_of_turn(std::uint64_t r, std::uint64_t q) {
    const Phase high = (Phase{r} << 64) / q;
    const Phase remainder = (Phase{r} << 64) % q;
    return (high << 64) + (remainder << 64) / q;
}

using Function = int(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);

// Returns the number of the format nearest to amplitude·f(angle).
double decide(Function* f, const BigReal& angle, const BigReal& amplitude, Format format) {
    for (long bits = 96; bits <= 192; bits *= 2) {
        BigReal value(0, {bits});
        f(value.raw(), angle.raw(), MPFR_RNDN);
        if (mpfr_zero_p(value.raw()) != 0) return 0;
        value = value * BigReal(amplitude, {bits});
        // three roundings, each with a relative error ≤ 2^-bits; 2^(2-bits) covers them
        const BigReal slack = value * std::ldexp(1.0, static_cast<int>(2 - bits));
        const double low = round_to(format, value - slack), high = round_to(format, value + slack);
        if (low == high) return low;
    }
    throw std::logic_error("cos or sin is within 2^-190 of a rounding boundary");
}

}  // namespace

TurnRate turn_rate(const BigReal& inv_freq, const std::optional<RationalTurn>& turn) {
    const Precision precision{inv_freq.precision().bits + 64};
    BigReal fraction = BigReal(inv_freq, precision) / (BigReal::pi(precision) * 2.0);
    const bool negative = fraction < BigReal(0, precision);
    mpfr_abs(fraction.raw(), fraction.raw(), MPFR_RNDN);
    const Phase bits = fraction_of(fraction);
    TurnRate rate{negative ? Phase{0} - bits : bits};
    // A period of 2^63 or more exceeds every accepted position.
    if (turn && turn->denominator < (std::uint64_t{1} << 63)) {
        rate.numerator = turn->numerator;
        rate.denominator = turn->denominator;
    }
    return rate;
}

Phase fraction_of(const BigReal& x) {
    BigReal fraction = x;
    mpfr_frac(fraction.raw(), fraction.raw(), MPFR_RNDN);
    const Phase high = take_64_bits(fraction);
    return (high << 64) + take_64_bits(fraction);
}

Phase phase_at(const TurnRate& rate, std::uint64_t m) {
    if (rate.denominator == 0) return rate.fraction * m;
    const Phase turned = Phase{m} * rate.numerator % rate.denominator;
    return fraction_of_turn(static_cast<std::uint64_t>(turned), rate.denominator);
}

double turns(Phase phase) {
    return static_cast<double>(static_cast<std::uint64_t>(phase >> 75)) * 0x1p-53;
}

double radians(Phase phase) {
    // 2π·phase/2^128 = 8·(π/4)·phase/2^128
    return std::ldexp(static_cast<double>(upper_product(phase, quarter_pi)), 3 - 128);
}

// With 2h the angle to the nearest multiple of π, the cosine is ±(2cos²h − 1), and h ≤ π/4:
//   cos h = 1 − h²/(1·2)·(1 − h²/(3·4)·(1 − …)), with an error < 2^-117 after 15 factors
FixedPoint cosine_of(Phase phase) {
    Phase angle = phase < half_turn ? phase : Phase{0} - phase;
    const bool is_obtuse = angle > half_turn / 2;
    if (is_obtuse) angle = half_turn - angle;
    const Phase h = 2 * upper_product(2 * angle, quarter_pi), square = upper_product(h, h);
    static constexpr auto factors = [] {
        std::array<Phase, 15> all{};
        for (unsigned k = 0; k < all.size(); ++k) all[k] = ~Phase{0} / ((2 * k + 1) * (2 * k + 2));
        return all;
    }();
    Phase cosine = ~Phase{0};
    for (std::size_t k = factors.size(); k > 0; --k)
        cosine = ~upper_product(upper_product(square, cosine), factors[k - 1]);
    const auto value = static_cast<FixedPoint>(upper_product(cosine, cosine) - half_turn) >> 17;
    return is_obtuse ? -value : value;
}

double round_to(Format format, const BigReal& x) {
    if (mpfr_regular_p(x.raw()) == 0) return x.to_double();
    // x = q·2^spacing, where q has p bits
    const long exponent = mpfr_get_exp(x.raw()) - 1;
    const long spacing = std::max(exponent, static_cast<long>(smallest_exponent(format))) -
                         precision_bits(format) + 1;
    BigReal q(x);
    mpfr_mul_2si(q.raw(), q.raw(), -spacing, MPFR_RNDN);
    mpfr_rint(q.raw(), q.raw(), MPFR_RNDN);
    mpfr_mul_2si(q.raw(), q.raw(), spacing, MPFR_RNDN);
    return round_to(format, q.to_double());  // exact, except for overflow
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
