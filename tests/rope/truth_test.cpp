// 40 decimal digits of mpmath, compared with the table.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

#include "rope/kernels/kernels.hpp"
#include "rope/oracle.hpp"
#include "rope/specs.hpp"
#include "rope/table/exact_rows.hpp"

namespace rope {
namespace truth_test {

using nlohmann::json;
using oracle::Real;

const json& golden() {
    static const json truth =
        json::parse(std::ifstream(ROPE_CHECK_TESTS "/golden/truth/theta_cos_sin_d128_b10000.json"));
    return truth;
}

FrequencyPlan plan() { return plan_frequencies(Spec{}, exact_precision); }

void read(Real& x, const json& digits) {
    ASSERT_EQ(mpfr_set_str(x, digits.get<std::string>().c_str(), 10, MPFR_RNDN), 0);
}

TEST(Truth, InvFreqTo38Digits) {
    const FrequencyPlan exact = plan();
    ASSERT_EQ(golden()["theta"].size(), 64U);
    for (std::size_t i = 0; i < 64; ++i) {
        Real want, error;
        read(want, golden()["theta"][i]);
        mpfr_reldiff(error, want, exact.pairs[i].inv_freq.raw(), MPFR_RNDN);
        EXPECT_LT(std::abs(mpfr_get_d(error, MPFR_RNDN)), 1e-38) << i;
    }
}

void expect_nearest(Format format, double amplitude) {
    const std::vector<std::uint64_t> positions = golden()["positions"];
    ASSERT_EQ(positions.size(), 23U);
    FrequencyPlan scaled = plan();
    scaled.set_amplitude(BigReal(amplitude, exact_precision));
    const RotaryTable table = build_table(scaled, positions, format);
    for (std::size_t k = 0; k < positions.size() * 64; ++k) {
        const std::string m = std::to_string(positions[k / 64]);
        Real cos, sin;
        read(cos, golden()["cos"][m][k % 64]);
        read(sin, golden()["sin"][m][k % 64]);
        mpfr_mul_d(cos, cos, amplitude, MPFR_RNDN);
        mpfr_mul_d(sin, sin, amplitude, MPFR_RNDN);
        EXPECT_EQ(table.cos[k], oracle::nearest(format, cos)) << m << ' ' << k % 64;
        EXPECT_EQ(table.sin[k], oracle::nearest(format, sin)) << m << ' ' << k % 64;
    }
}

TEST(Truth, EveryStoredValueIsTheNearestOfItsFormat) {
    for (const Format format : {Format::float32, Format::bfloat16, Format::float16})
        for (const double amplitude : {1.0, 1.138629436111989, 0.7, 2.0})
            expect_nearest(format, amplitude);
}

void expect_exact_row(std::uint64_t m, const double* cos, const double* sin) {
    for (std::size_t i = 0; i < 64; ++i) {
        Real want_cos, want_sin;
        read(want_cos, golden()["cos"][std::to_string(m)][i]);
        read(want_sin, golden()["sin"][std::to_string(m)][i]);
        EXPECT_LT(oracle::distance(cos[i], want_cos), cos_sin_error) << m << ' ' << i;
        EXPECT_LT(oracle::distance(sin[i], want_sin), cos_sin_error) << m << ' ' << i;
    }
}

TEST(Truth, ExactRowsByThePolynomialAndByAngleAddition) {
    std::vector<TurnRate> rates;
    for (const PlannedFrequency& pair : plan().pairs) rates.push_back(turn_rate(pair));
    const ExactRows rows(rates);
    std::vector<double> cos(tile_rows * 64), sin(cos.size());
    for (const std::uint64_t m : golden()["positions"]) {
        rows.fill({&m, 1}, cos.data(), sin.data());
        expect_exact_row(m, cos.data(), sin.data());

        std::vector<std::uint64_t> tile(tile_rows);
        std::iota(tile.begin(), tile.end(), m - m % tile_rows);
        rows.fill(tile, cos.data(), sin.data());
        expect_exact_row(m, &cos[m % tile_rows * 64], &sin[m % tile_rows * 64]);
    }
}

// Pair i of base 10⁴, d = 8 rotates by 1/(12000·10^i): its twelfths are at whole positions. The
// second amplitude puts ±½ and ±1 on a tie, which no precision would decide.
TEST(Truth, TwelfthsOfATurnAreExactWhereTheyAreRational) {
    FrequencyPlan plan = plan_frequencies(spec_of(8, 1e4, he_xu(), 3000), exact_precision);
    constexpr double root = 9;  // stands for √3/2
    static constexpr double cosine[] = {1,  root,  0.5,  0, -0.5, -root,
                                        -1, -root, -0.5, 0, 0.5,  root};
    const auto want = [&](Format format, std::size_t twelfth) {
        const double c = cosine[twelfth % 12];
        Real value;
        mpfr_sqrt_ui(value, 3, MPFR_RNDN);
        mpfr_mul_d(value, value, std::copysign(0.5, c), MPFR_RNDN);
        if (std::abs(c) != root) mpfr_set_d(value, c, MPFR_RNDN);
        mpfr_mul_d(value, value, plan.attention_factor, MPFR_RNDN);
        return oracle::nearest(format, value);
    };
    for (const Format format : {Format::float32, Format::bfloat16, Format::float16})
        for (const double amplitude : {1.0, 1 + unit_roundoff(format)})
            for (std::size_t i = 0, period = 12000; i < 4; ++i, period *= 10)
                for (std::size_t k = 0; k <= 24; ++k) {
                    plan.set_amplitude(BigReal(amplitude, exact_precision));
                    const RotaryTable table = build_table(plan, {k * period / 12}, format);
                    EXPECT_EQ(table.cos[i], want(format, k)) << i << ' ' << k;
                    EXPECT_EQ(table.sin[i], want(format, k + 9)) << i << ' ' << k;
                }
}

}  // namespace truth_test
}  // namespace rope
