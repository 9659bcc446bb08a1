#include "rope/exact/elementary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "rope/oracle.hpp"
#include "rope/seeded.hpp"

namespace rope {
namespace elementary_test {

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

}  // namespace elementary_test
}  // namespace rope
