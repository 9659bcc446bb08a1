#include "rope/kernels/kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <utility>
#include <vector>

#include "rope/kernels/checks.hpp"
#include "rope/oracle.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/seeded.hpp"

namespace rope::kernels_test {

using oracle::Real;

constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

double worst_error(const std::vector<double>& c, const std::vector<double>& s, auto set_angle) {
    double worst = 0;
    Real angle(400), cos(400), sin(400);
    for (std::size_t k = 0; k < c.size(); ++k) {
        set_angle(angle, k);
        mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
        worst = std::max({worst, oracle::distance(c[k], cos), oracle::distance(s[k], sin)});
    }
    return worst;
}

double worst_error_of_angles(const std::vector<float>& angle) {
    std::vector<double> c(angle.size()), s(angle.size());
    kernels().cos_sin_of_angles(angle.size(), angle.data(), c.data(), s.data());
    return worst_error(c, s, [&](Real& x, std::size_t k) { mpfr_set_flt(x, angle[k], MPFR_RNDN); });
}

TEST(Kernels, AnglesNextToQuarterTurns) {
    Seeded random(1);
    std::vector<float> angle;
    for (int e = 0; e < 33; ++e)
        for (int k = 0; k < 2000; ++k) {
            const double quarters = std::floor(std::ldexp(random.within(0.5, 1), e));
            const auto near = static_cast<float>(quarters * (std::numbers::pi / 2));
            for (const float x : {std::nextafter(near, 0.0F), near, std::nextafter(near, 1e12F)})
                angle.insert(angle.end(), {x, -x});
        }
    EXPECT_LT(worst_error_of_angles(angle), cos_sin_error);
}

TEST(Kernels, AnglesOfEverySizeBelow2To33) {
    Seeded random(2);
    std::vector<float> angle{0.0F, -0.0F, 0x1p-149F, 0x1.fffffep32F, -0x1.fffffep32F, 0x1p32F};
    for (int e = -148; e < 33; ++e)
        for (int k = 0; k < 500; ++k)
            angle.push_back(static_cast<float>(std::ldexp(random.within(-1, 1), e + 1)));
    for (int k = 0; k < 100000; ++k)
        angle.push_back(static_cast<float>(random.within(-0x1p32, 0x1p32)));
    std::erase_if(angle, [](float x) { return std::abs(x) >= 0x1p33F; });
    EXPECT_LT(worst_error_of_angles(angle), cos_sin_error);
}

// The number of values that are not the float32 numbers nearest to cos and sin of the angle.
std::size_t count_misrounded(const std::vector<float>& angle, const std::vector<double>& c,
                             const std::vector<double>& s) {
    std::size_t wrong = 0;
    Real x(400), cos(24), sin(24);
    for (std::size_t k = 0; k < angle.size(); ++k) {
        mpfr_set_flt(x, angle[k], MPFR_RNDN);
        mpfr_sin_cos(sin, cos, x, MPFR_RNDN);
        wrong += (c[k] != mpfr_get_d(cos, MPFR_RNDN)) + (s[k] != mpfr_get_d(sin, MPFR_RNDN));
    }
    return wrong;
}

// Compares the exact rows of θ with the float32 numbers nearest to cos and sin of the float32
// number that m·θ was rounded to.
TEST(Kernels, AnglesNearAnExactRow) {
    constexpr std::size_t rows = tile_rows, stride = 45;
    Seeded random(4);
    int tiles_in_doubt = 0;
    for (int tile = 0; tile < 100; ++tile) {
        std::vector<float> inv_freq, angle, position;
        std::vector<TurnRate> rates;
        for (std::size_t i = 0; i < stride; ++i) {
            inv_freq.push_back(static_cast<float>(i == 0 ? 1 : std::exp(random.within(-16, 0))));
            rates.push_back(turn_rate(BigReal(static_cast<double>(inv_freq[i]), exact_precision)));
        }
        const std::uint64_t end = tile % 2 == 0 ? 1U << 17 : 1U << 20;
        const std::uint64_t start = tile < 2 ? end - rows : random.below(end / rows) * rows;
        std::vector<std::uint64_t> m;
        for (std::size_t r = 0; r < rows; ++r) m.push_back(start + r);
        position.assign(m.begin(), m.end());
        for (std::size_t k = 0; k < rows * stride; ++k)
            angle.push_back(position[k / stride] * inv_freq[k % stride]);
        const ExactRows exact(rates);
        std::vector<double> effective_c(angle.size()), effective_s(effective_c), c(effective_c),
            s(effective_c);
        std::vector<double> block_c(stride), block_s(stride), want_c(effective_c),
            want_s(effective_c);
        exact.fill(m, want_c.data(), want_s.data());
        exact.fill_row(start, block_c.data(), block_s.data());
        const bool doubt = kernels().round_near_exact(
            rows, stride, position.data(), inv_freq.data(), {block_c.data(), block_s.data()},
            {exact.base_cos(), exact.base_sin()}, {effective_c.data(), effective_s.data()},
            {c.data(), s.data()});
        ASSERT_EQ(effective_c, want_c);
        ASSERT_EQ(effective_s, want_s);
        const std::size_t misrounded = start == 0 ? 2 * stride : 2;  // at most, if in doubt
        ASSERT_LE(count_misrounded(angle, c, s), doubt ? misrounded : 0) << tile;
        tiles_in_doubt += doubt && start != 0 ? 1 : 0;
    }
    EXPECT_LE(tiles_in_doubt, 3);
}

TEST(Kernels, RoundedAnglesAreTheNearestNumbers) {
    constexpr std::size_t count = 4096 + 5;
    Seeded random(5);
    int tiles_in_doubt = 0;
    for (int tile = 0; tile < 40; ++tile) {
        std::vector<float> angle;
        if (tile == 0) angle = {0, 1, -1, 0x1p-30F, 0x1p32F, -0x1.fffffep32F};
        while (angle.size() < count)
            angle.push_back(static_cast<float>((random.below(2) == 0 ? 1 : -1) *
                                               std::exp(random.within(0, 22))));
        std::vector<double> c(count), s(count);
        const bool doubt = kernels().round_angles(count, angle.data(), c.data(), s.data());
        ASSERT_LE(count_misrounded(angle, c, s), doubt ? 2 : 0) << tile;
        EXPECT_TRUE(doubt || tile > 0);  // sin 0 may have either sign within the error
        tiles_in_doubt += doubt && tile > 0 ? 1 : 0;
    }
    EXPECT_LE(tiles_in_doubt, 3);
}

TEST(Kernels, TurnsAtAPositionAreTheTopOfAllBits) {
    Seeded random(5);
    for (int round = 0; round < 1000; ++round) {
        const std::size_t n = 1 + random.below(20);
        std::vector<std::uint64_t> high(n), low(n), turn(n);
        for (std::size_t i = 0; i < n; ++i) high[i] = random.bits(), low[i] = random.bits();
        const std::uint64_t m = random.below(4) == 0 ? 0xffffffff : random.below(1ULL << 32);
        kernels().turns_at(n, m, high.data(), low.data(), turn.data());
        for (std::size_t i = 0; i < n; ++i) {
            const TurnRate rate{(Phase{high[i]} << 64) + low[i]};
            ASSERT_EQ(turn[i], static_cast<std::uint64_t>(phase_at(rate, m) >> 64));
        }
    }
}

TEST(Kernels, TurnsAndTheNeighboursOfEverySixteenth) {
    Seeded random(3);
    std::vector<std::uint64_t> turn;
    for (std::uint64_t sixteenth = 0; sixteenth < 16; ++sixteenth)
        for (int e = 0; e < 60; ++e)
            for (const std::uint64_t offset : {std::uint64_t{0}, std::uint64_t{1} << e})
                for (const std::uint64_t sign : {offset, 0 - offset})
                    turn.push_back((sixteenth << 60) + sign);
    for (int k = 0; k < 100000; ++k) turn.push_back(random.bits());
    std::vector<double> c(turn.size()), s(turn.size());
    kernels().cos_sin_of_turns(turn.size(), turn.data(), c.data(), s.data());
    Real two_pi(400);
    mpfr_const_pi(two_pi, MPFR_RNDN);
    mpfr_mul_2ui(two_pi, two_pi, 1, MPFR_RNDN);
    // only the polynomial: 2^-51.7, see kernels.hpp
    EXPECT_LT(worst_error(c, s,
                          [&](Real& x, std::size_t k) {
                              mpfr_mul_ui(x, two_pi, turn[k], MPFR_RNDN);
                              mpfr_div_2ui(x, x, 64, MPFR_RNDN);
                          }),
              std::exp2(-51.7));
}

TEST(Kernels, QuarterTurnsAreExact) {
    const std::vector<std::uint64_t> turn{0, 1ULL << 62, 2ULL << 62, 3ULL << 62};
    std::vector<double> c(4), s(4);
    kernels().cos_sin_of_turns(4, turn.data(), c.data(), s.data());
    EXPECT_EQ(c, (std::vector<double>{1, 0, -1, 0}));
    EXPECT_EQ(s, (std::vector<double>{0, 1, 0, -1}));
}

TEST(Kernels, RoundingCountsValuesWithinTheErrorOfATie) {
    constexpr double error = 0x1p-49, tie = 1 + 0x1p-24;  // between float32's 1 and 1 + 2^-23
    const std::vector<double> x{tie,  tie + error / 2, tie - error / 2, tie + 4 * error,
                                0.75, tie - 4 * error, nan_value,       -tie};
    for (std::size_t n = 0; n <= 40; ++n) {
        std::vector<double> many, rounded(n);
        std::size_t want = 0;
        for (std::size_t k = 0; k < n; ++k) {
            many.push_back(x[k % x.size()]);
            want += k % 8 < 3 || k % 8 > 5 ? 1 : 0;
        }
        ASSERT_EQ(kernels().round_to_float32(n, error, many.data(), rounded.data()), want) << n;
        for (std::size_t k = 0; k < n; ++k) {
            if (std::isnan(many[k])) continue;
            ASSERT_EQ(rounded[k], static_cast<float>(many[k])) << n;
        }
    }
}

// One bad value in a tile of the unit circle is counted at any place.
class BadValue : public testing::TestWithParam<double> {
  protected:
    static constexpr std::size_t rows = 32, stride = 13;
    std::vector<double> c = std::vector<double>(rows * stride, 0.6);
    std::vector<double> s = std::vector<double>(rows * stride, 0.8);
    const std::vector<double> true_c = c, true_s = s;
    std::vector<double> worst = std::vector<double>(stride), out = worst;

    ComparedRows compared() const {
        return {rows, stride, {c.data(), s.data()}, {true_c.data(), true_s.data()}};
    }
    // visit(k, sound) with the bad value in place of each sound cos and sin.
    template <class Visit>
    void at_each_place(const Visit& visit) {
        for (std::size_t k = 0; k < c.size(); ++k)
            for (double* value : {&c[k], &s[k]}) {
                const double sound = std::exchange(*value, GetParam());
                visit(k, sound);
                *value = sound;
            }
    }
    void expect_one_out(std::size_t k) const {
        ASSERT_EQ(std::accumulate(out.begin(), out.end(), 0.0), 1) << k;
        ASSERT_EQ(out[k % stride], 1) << k;
    }
};

TEST_P(BadValue, IsOutOfTheTable) {
    const std::vector<double> ones(rows, 1.0), none(stride), per_theta(stride, 1.0);
    std::vector<double> drift(stride);
    at_each_place([&](std::size_t k, double) {
        kernels().checks->table_errors(
            compared(), {ones.data(), ones.data(), none.data(), per_theta.data(), 0x1p-25, 2, 0, 1},
            {worst.data(), out.data(), drift.data()});
        expect_one_out(k);
    });
}

TEST_P(BadValue, IsSuspect) {
    const std::vector<double> none(stride);
    const ExpectedErrors expected{none.data(), 0x1p-25, 2, none.data(), 0x1p-24, 0.5};
    const auto suspicious = [&] {
        return kernels().checks->table_suspects(compared(), 1, expected);
    };
    ASSERT_FALSE(suspicious());
    at_each_place([&](std::size_t k, double) { ASSERT_TRUE(suspicious()) << k; });
}

TEST_P(BadValue, HasTheLargestRadius) {
    at_each_place([&](std::size_t k, double sound) {
        std::vector<double> radius(stride, 0x1p-60);
        kernels().checks->radii(compared(), 1, radius.data());
        const double error = GetParam() - sound, square = error * error;
        for (std::size_t i = 0; i < stride; ++i) {
            const bool bad = i == k % stride, finite = square < HUGE_VAL;
            ASSERT_EQ(radius[i], !bad ? 0x1p-60 : finite ? square : HUGE_VAL) << k;
        }
    });
}

TEST_P(BadValue, IsOutOfTheNorm) {
    const auto suspicious = [&] {
        return kernels().checks->norm_suspects(c.size(), 1, 0x1p-23, {c.data(), s.data()});
    };
    ASSERT_FALSE(suspicious());
    at_each_place([&](std::size_t k, double) {
        ASSERT_TRUE(suspicious()) << k;
        kernels().checks->norm_errors(rows, stride, 1, 0x1p-23, {c.data(), s.data()}, worst.data(),
                                      out.data());
        expect_one_out(k);
    });
}

INSTANTIATE_TEST_SUITE_P(Kernels, BadValue,
                         testing::Values(nan_value, std::numeric_limits<double>::infinity(), 0.7));

}  // namespace rope::kernels_test
