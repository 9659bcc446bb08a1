#include "rope/spec/frequency.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rope/oracle.hpp"
#include "rope/seeded.hpp"
#include "rope/specs.hpp"

namespace rope {
namespace frequency_test {

std::vector<BigReal> exact(const Spec& spec) {
    validate(spec);
    std::vector<BigReal> theta;
    for (const auto& pair : plan_frequencies(spec, exact_precision).pairs)
        theta.push_back(pair.inv_freq);
    return theta;
}

// |a/b − 1|
double relative(const BigReal& a, const BigReal& b) { return std::abs((a / b - 1.0).to_double()); }

TEST(Frequency, BaseFrequenciesAreOneGeometricProgression) {
    Seeded random(1);
    for (const std::uint32_t d : {2U, 4U, 6U, 64U, 80U, 96U, 128U, 256U}) {
        const double base = std::exp(random.within(0.1, 16));
        const auto theta = exact(spec_of(d, base));
        ASSERT_EQ(theta.size(), d / 2);
        EXPECT_EQ(theta[0].to_double(), 1) << d;
        const BigReal inverse_base = 1.0 / BigReal(base, exact_precision);
        for (std::size_t i = 1; i < theta.size(); ++i) {
            EXPECT_LT(theta[i], theta[i - 1]) << d << ' ' << i;
            EXPECT_LT(relative(theta[i] * theta[d / 2 - i], inverse_base), 0x1p-310) << d;
            for (std::size_t j = 1; i + j < theta.size(); ++j)
                ASSERT_LT(relative(theta[i] * theta[j], theta[i + j]), 0x1p-310) << d;
        }
    }
}

// The number of factors in a power does not matter.
TEST(Frequency, ExactPowersEqualMpfrs) {
    for (const double base : {1.0, 1.5, 1e4, 5e5, 1e15})
        for (const std::uint32_t d : {2U, 6U, 128U, 65536U}) {
            const auto powers = base_powers(BigReal(base, exact_precision), spec_of(d, base));
            for (std::uint32_t i = 0; i < d / 2; i += 1 + d / 200) {
                BigReal want(0, {400});
                mpfr_set_ui(want.raw(), 2UL * i, MPFR_RNDN);
                mpfr_div_ui(want.raw(), want.raw(), d, MPFR_RNDN);
                mpfr_pow(want.raw(), BigReal(base, {64}).raw(), want.raw(), MPFR_RNDN);
                ASSERT_LE(relative(powers[i], want), 0x1p-318) << base << ' ' << d << ' ' << i;
            }
        }
}

// transformers: 1.0 / (base ** (arange(0, dim, 2) / dim)), every step in float32
TEST(Frequency, Float32RoundsAfterEveryStep) {
    for (const std::uint32_t d : {64U, 80U, 96U, 128U}) {
        const auto pairs = plan_frequencies(spec_of(d, 5e5), float32_precision).pairs;
        for (std::uint32_t i = 0; i < d / 2; ++i) {
            oracle::Real want(24), base(24);
            mpfr_set_ui(base, 500000, MPFR_RNDN);
            mpfr_set_ui(want, 2UL * i, MPFR_RNDN);
            mpfr_div_ui(want, want, d, MPFR_RNDN);
            mpfr_pow(want, base, want, MPFR_RNDN);
            mpfr_ui_div(want, 1, want, MPFR_RNDN);
            EXPECT_EQ(pairs[i].inv_freq.to_double(), mpfr_get_d(want, MPFR_RNDN)) << d << ' ' << i;
        }
    }
}

TEST(Frequency, BaseOneTurnsEveryPairAlike) {
    for (const BigReal& theta : exact(spec_of(64, 1))) EXPECT_EQ(theta.to_double(), 1);
}

TEST(Frequency, LinearIsDefaultOverFactor) {
    for (const double factor : {1.0, 2.0, 2.5, 8.0, 0.75})
        for (const Precision precision : {exact_precision, float32_precision}) {
            const auto plain = plan_frequencies(spec_of(128, 1e4), precision).pairs;
            const auto scaled =
                plan_frequencies(spec_of(128, 1e4, linear(factor)), precision).pairs;
            for (std::size_t i = 0; i < plain.size(); ++i) {
                const BigReal quotient =
                    plain[i].inv_freq / BigReal(factor, plain[i].inv_freq.precision());
                EXPECT_EQ(mpfr_cmp(scaled[i].inv_freq.raw(), quotient.raw()), 0) << factor;
            }
        }
}

struct Bands {
    std::size_t unchanged = 0, blended = 0, divided = 0;
    bool operator==(const Bands&) const = default;
};

// Counts the bands, and checks their order and bounds.
Bands bands(const std::vector<BigReal>& theta, const std::vector<BigReal>& scaled, double factor) {
    Bands count;
    for (std::size_t i = 0; i < theta.size(); ++i) {
        const BigReal divided = theta[i] / factor;
        if (scaled[i] == theta[i]) {
            EXPECT_EQ(count.blended + count.divided, 0U) << i;
            ++count.unchanged;
        } else if (scaled[i] == divided) {
            ++count.divided;
        } else {
            EXPECT_EQ(count.divided, 0U) << i;
            EXPECT_TRUE(divided < scaled[i] && scaled[i] < theta[i]) << i;
            ++count.blended;
        }
    }
    return count;
}

TEST(Frequency, Llama3KeepsBlendsAndDivides) {
    const auto large = exact(spec_of(128, 5e5, llama3(8)));  // Llama-3.1-8B
    EXPECT_EQ(bands(exact(spec_of(128, 5e5)), large, 8), (Bands{29, 6, 29}));
    EXPECT_NEAR(large[63].to_double(), 3.06892599e-7, 0.5e-15);
    const auto small = exact(spec_of(64, 5e5, llama3(32)));  // Llama-3.2-1B
    EXPECT_EQ(bands(exact(spec_of(64, 5e5)), small, 32), (Bands{15, 3, 14}));
    EXPECT_NEAR(small[31].to_double(), 9.41830673e-8, 0.5e-16);
}

TEST(Frequency, Llama3WithoutARampBlendsNothing) {
    const auto scaled = exact(spec_of(128, 5e5, llama3(8, 4, 4)));
    EXPECT_EQ(bands(exact(spec_of(128, 5e5)), scaled, 8), (Bands{29, 0, 35}));
}

TEST(Frequency, Llama3IsContinuousAcrossItsRamp) {
    // with a bound next to pair i's wavelength, the frequency changes by no more than the bound
    // moves
    const std::uint32_t i = 30;
    const auto theta = exact(spec_of(128, 5e5));
    const double turns = 8192 / (2 * std::numbers::pi / theta[i].to_double());
    for (const double nudge : {1 - 1e-9, 1 + 1e-9}) {
        const auto at_high = exact(spec_of(128, 5e5, llama3(8, 1, turns * nudge)));
        EXPECT_LT(relative(at_high[i], theta[i]), 1e-8);
        const auto at_low = exact(spec_of(128, 5e5, llama3(8, turns * nudge, 40)));
        EXPECT_LT(relative(at_low[i], theta[i] / 8.0), 1e-7);
    }
}

TEST(Frequency, HeXuSpreadsAQuarterTurnOverTheContext) {
    const auto theta = exact(spec_of(128, 1e4, he_xu()));
    EXPECT_DOUBLE_EQ(theta[0].to_double(), 7.66990393942820614859e-4);
    EXPECT_DOUBLE_EQ(theta[63].to_double(), 8.85706689355039773e-8);
    EXPECT_DOUBLE_EQ(exact(spec_of(128, 1e4, he_xu(), 4096))[0].to_double(),
                     3.83495196971410307e-4);
    for (const std::uint64_t n : {1ULL, 7ULL, 3000ULL, 1ULL << 32}) {
        const auto scaled = exact(spec_of(128, 1e4, he_xu(), n)), base = exact(spec_of(128, 1e4));
        for (std::size_t i = 0; i < base.size(); ++i)
            EXPECT_LT(relative(scaled[i] * static_cast<double>(2 * n),
                               BigReal::pi(exact_precision) * base[i]),
                      0x1p-310);
    }
}

}  // namespace frequency_test
}  // namespace rope
