#include "rope/exact/phase.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/exact/elementary.hpp"
#include "rope/oracle.hpp"
#include "rope/seeded.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"

namespace rope::phase_test {

constexpr Phase quarter_turn = half_turn / 2;
constexpr std::uint64_t longest = std::uint64_t{1} << 32;

std::vector<PlannedFrequency> pairs_of(const Spec& spec) {
    return plan_frequencies(spec, exact_precision).pairs;
}

// 2^128·(mθ/2π mod 1) − phase, in units of 2^-128 turn
double shortfall(Phase phase, double base, std::uint32_t i, std::uint32_t d, std::uint64_t m) {
    oracle::Real theta, turns(400), have(400), two_pi(400);
    oracle::set_theta(theta, base, i, d);
    mpfr_const_pi(two_pi, MPFR_RNDN);
    mpfr_mul_2ui(two_pi, two_pi, 1, MPFR_RNDN);
    mpfr_mul_ui(turns, theta, m, MPFR_RNDN);
    mpfr_div(turns, turns, two_pi, MPFR_RNDN);
    mpfr_frac(turns, turns, MPFR_RNDN);
    mpfr_mul_2ui(turns, turns, 128, MPFR_RNDN);
    mpfr_set_ui(have, static_cast<std::uint64_t>(phase >> 64), MPFR_RNDN);
    mpfr_mul_2ui(have, have, 64, MPFR_RNDN);
    mpfr_add_ui(have, have, static_cast<std::uint64_t>(phase), MPFR_RNDN);
    mpfr_sub(turns, turns, have, MPFR_RNDN);
    const double short_by = mpfr_get_d(turns, MPFR_RNDN);
    return short_by < -0x1p127 ? short_by + 0x1p128 : short_by;  // past a whole turn
}

TEST(Phase, FallsShortByLessThanMUnits) {
    Seeded random(2);
    for (const double base : {1e4, 5e5, 12.5}) {
        const auto pairs = pairs_of(spec_of(96, base));
        for (std::uint32_t i = 0; i < pairs.size(); ++i)
            for (int k = 0; k < 100; ++k) {
                const std::uint64_t m = k == 0 ? longest - 1 : 1 + random.below(longest - 1);
                const double short_by = shortfall(phase_at(turn_rate(pairs[i]), m), base, i, 96, m);
                ASSERT_GE(short_by, 0) << base << ' ' << i << ' ' << m;
                ASSERT_LT(short_by, static_cast<double>(m)) << base << ' ' << i << ' ' << m;
            }
    }
}

TEST(Phase, AFrequencyAndItsNegativeCancel) {
    Seeded random(3);
    for (int k = 0; k < 1000; ++k) {
        const BigReal theta(random.within(-4, 4), exact_precision);
        const TurnRate forward = turn_rate(theta),
                       back = turn_rate(BigReal(0, exact_precision) - theta);
        const std::uint64_t m = random.below(longest);
        ASSERT_EQ(phase_at(forward, m) + phase_at(back, m), Phase{0});
    }
}

TEST(Phase, DoesNotChangeAtFrequencyZero) {
    EXPECT_EQ(phase_at(turn_rate(BigReal(0, exact_precision)), longest - 1), Phase{0});
}

// θ/2π truncated would be 2^-128 too small for each of these.
TEST(Phase, HeXuReachesQuartersOfATurnExactly) {
    for (const std::uint64_t n : {1ULL, 7ULL, 2048ULL, 3000ULL, 4096ULL, 131072ULL}) {
        const TurnRate rate = turn_rate(pairs_of(spec_of(128, 1e4, he_xu(), n))[0]);
        for (std::uint64_t quarters = 0; quarters <= 9; ++quarters)
            EXPECT_EQ(phase_at(rate, quarters * n), quarters * quarter_turn)
                << n << ' ' << quarters;
        EXPECT_EQ(phase_at(rate, 4 * n * 1000 + 1), phase_at(rate, 1)) << n;
    }
}

struct Rational {
    std::uint32_t d;
    double base;
    std::vector<std::uint64_t> power;  // base^(2i/d) of each pair, 0 if irrational
};

TEST(Phase, IsRationalWhereTheBaseIsAPerfectPower) {
    // clang-format off
    const Rational table[] = {
        {2,  12345.5, {1}},
        {4,  4,       {1, 2}},
        {4,  5,       {1, 0}},
        {4,  2.25,    {1, 0}},                      // 1.5: rational, but not whole; not needed
        {6,  8,       {1, 2, 4}},
        {8,  16,      {1, 2, 4, 8}},
        {8,  1e4,     {1, 10, 100, 1000}},
        {12, 1e4,     {1, 0, 0, 100, 0, 0}},
        {16, 1e4,     {1, 0, 10, 0, 100, 0, 1000, 0}},
        {4,  1e18,    {1, 0}},                      // 10⁹ exceeds the largest that is kept
        {6,  1,       {1, 1, 1}},
    };
    // clang-format on
    for (const auto& [d, base, power] : table)
        for (const std::uint64_t n : {2048ULL, 3000ULL}) {
            const auto pairs = pairs_of(spec_of(d, base, he_xu(), n));
            ASSERT_EQ(pairs.size(), power.size());
            for (std::size_t i = 0; i < pairs.size(); ++i) {
                ASSERT_EQ(pairs[i].turn.has_value(), power[i] != 0) << d << ' ' << base << ' ' << i;
                if (!pairs[i].turn) continue;
                EXPECT_EQ(pairs[i].turn->numerator, 1U);
                EXPECT_EQ(pairs[i].turn->denominator, 4 * n * power[i]);
                EXPECT_EQ(phase_at(turn_rate(pairs[i]), 4 * n * power[i]), Phase{0});
            }
        }
}

TEST(Phase, TheRationalTurnIsTheFrequency) {
    for (const PlannedFrequency& pair : pairs_of(spec_of(16, 1e4, he_xu(), 3000))) {
        if (!pair.turn) continue;
        const BigReal turns = BigReal::whole(pair.turn->numerator, exact_precision) /
                              BigReal::whole(pair.turn->denominator, exact_precision);
        const BigReal ratio = turns * 2.0 * BigReal::pi(exact_precision) / pair.inv_freq;
        EXPECT_LT(std::abs((ratio - 1.0).to_double()), 0x1p-310);
    }
}

// sθ mod 2π to nearest, with MPFR only: 53-bit turns times 2π were wrong in most of these
TEST(Phase, RadiansAreToNearest) {
    Seeded random(4);
    oracle::Real two_pi(400), theta, angle(400);
    mpfr_const_pi(two_pi, MPFR_RNDN);
    mpfr_mul_2ui(two_pi, two_pi, 1, MPFR_RNDN);
    const auto pairs = pairs_of(spec_of(64, 1e4));
    for (std::uint32_t i = 0; i < pairs.size(); ++i)
        for (int k = 0; k < 200; ++k) {
            const std::uint64_t m = k < 20 ? static_cast<std::uint64_t>(k) : random.below(longest);
            oracle::set_theta(theta, 1e4, i, 64);
            mpfr_mul_ui(angle, theta, m, MPFR_RNDN);
            mpfr_fmod(angle, angle, two_pi, MPFR_RNDN);
            ASSERT_EQ(radians(phase_at(turn_rate(pairs[i]), m)), mpfr_get_d(angle, MPFR_RNDN))
                << i << ' ' << m;
        }
}

TEST(Phase, RadiansOfRationalTurnsAreToNearest) {
    const TurnRate rate = turn_rate(pairs_of(spec_of(128, 1e4, he_xu(), 3000))[0]);
    oracle::Real angle(400);
    for (std::uint64_t m = 0; m < 12000; ++m) {
        mpfr_const_pi(angle, MPFR_RNDN);
        mpfr_mul_ui(angle, angle, m, MPFR_RNDN);
        mpfr_div_ui(angle, angle, 6000, MPFR_RNDN);
        ASSERT_EQ(radians(phase_at(rate, m)), mpfr_get_d(angle, MPFR_RNDN)) << m;
    }
}

TEST(Phase, TurnsTruncates) {
    EXPECT_EQ(turns(0), 0);
    EXPECT_EQ(turns(half_turn), 0.5);
    EXPECT_EQ(turns(half_turn - 1), 0.5 - 0x1p-53);
    EXPECT_EQ(turns(Phase{0} - 1), 1 - 0x1p-53);
}

// |x − want| in units of want's last place; changes want.
double ulps(double x, oracle::Real& want) {
    const double nearest = std::abs(mpfr_get_d(want, MPFR_RNDN));
    mpfr_sub_d(want, want, x, MPFR_RNDN);
    return std::abs(mpfr_get_d(want, MPFR_RNDN)) / (std::nextafter(nearest, HUGE_VAL) - nearest);
}

double ulps(double got, int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t), double x) {
    oracle::Real a;
    mpfr_set_d(a, x, MPFR_RNDN);
    f(a, a, MPFR_RNDN);
    return ulps(got, a);
}

double ulps(double got, int (*f)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t), double x,
            double y) {
    oracle::Real a, b;
    mpfr_set_d(a, x, MPFR_RNDN);
    mpfr_set_d(b, y, MPFR_RNDN);
    f(a, a, b, MPFR_RNDN);
    return ulps(got, a);
}

TEST(Elementary, IsAsNearToMpfrAsStated) {
    Seeded seeded(1);
    double log = 0, atan2 = 0, hypot = 0, exp = 0, pow = 0;
    for (int k = 0; k < 20'000; ++k) {
        const double x = seeded.within(-1, 1), y = seeded.within(-1, 1) * std::exp2(k % 60 - 30);
        log = std::max(log, ulps(portable::log(std::abs(y)), mpfr_log, std::abs(y)));
        log = std::max(log, ulps(portable::log(1 + y * 0x1p-30), mpfr_log, 1 + y * 0x1p-30));
        atan2 = std::max(atan2, ulps(portable::atan2(y, x), mpfr_atan2, y, x));
        hypot = std::max(hypot, ulps(portable::hypot(y, x), mpfr_hypot, y, x));
        exp = std::max(exp, ulps(portable::exp(30 * x), mpfr_exp, 30 * x));
        pow = std::max(pow, ulps(portable::pow(std::abs(y), 9 * x), mpfr_pow, std::abs(y), 9 * x));
    }
    EXPECT_LT(log, 1);
    EXPECT_LT(atan2, 2);
    EXPECT_LT(hypot, 2);
    EXPECT_LE(exp, 0.5);
    EXPECT_LE(pow, 0.5);
}

TEST(Elementary, KnowsZerosAndTheEndsOfTheRange) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double y : {0.0, -0.0, 1.0, -1.0})
        for (const double x : {0.0, -0.0, 1.0, -1.0}) {
            EXPECT_EQ(portable::atan2(y, x), std::atan2(y, x)) << y << ' ' << x;
            EXPECT_EQ(std::signbit(portable::atan2(y, x)), std::signbit(std::atan2(y, x)));
        }
    EXPECT_EQ(portable::log(0), -infinity);
    EXPECT_EQ(portable::log(infinity), infinity);
    EXPECT_TRUE(std::isnan(portable::log(-1)));
    EXPECT_EQ(portable::log(1), 0);
    EXPECT_EQ(portable::log(0x1p-1074), std::log(0x1p-1074));
    EXPECT_EQ(portable::hypot(3 * 0x1p1000, 4 * 0x1p1000), 5 * 0x1p1000);
    EXPECT_EQ(portable::hypot(3 * 0x1p-1000, -4 * 0x1p-1000), 5 * 0x1p-1000);
    EXPECT_EQ(portable::hypot(0, -infinity), infinity);
    EXPECT_EQ(portable::hypot(0, 0), 0);
}

}  // namespace rope::phase_test
