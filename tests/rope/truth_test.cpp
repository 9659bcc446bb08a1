// 40 decimal digits of mpmath, compared with the table.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "rope/kernels/kernels.hpp"
#include "rope/oracle.hpp"
#include "rope/seeded.hpp"
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

// No value is misrounded: every stored value is compared with MPFR's correct rounding.

constexpr std::uint32_t pairs = 64;

// The table's values that are not the nearest numbers of its format.
std::uint64_t misrounded(double base, const RotaryTable& table, Format format) {
    std::uint64_t count = 0;
    // no value except 0 is subnormal in float32: MPFR rounds it to 24 bits
    const long bits = format == Format::float32 ? 24 : 200;
    const auto want = [&](const Real& x) {
        return bits == 24 ? mpfr_get_d(x, MPFR_RNDN) : oracle::nearest(format, x);
    };
    Real theta, cos(bits), sin(bits);
    for (std::uint32_t i = 0; i < pairs; ++i) {
        oracle::set_theta(theta, base, i, 2 * pairs);
        for (std::size_t r = 0; r < table.positions.size(); ++r) {
            oracle::cos_sin(cos, sin, theta, table.positions[r]);
            count += table.cos[r * pairs + i] == want(cos) ? 0 : 1;
            count += table.sin[r * pairs + i] == want(sin) ? 0 : 1;
        }
    }
    return count;
}

struct Count {
    std::atomic<std::uint64_t> values = 0, misrounded = 0;
};

// Checks chunks of positions on every core.
void judge(Count& count, double base, Format format, std::size_t chunks,
           const std::function<std::vector<std::uint64_t>(std::size_t)>& positions_of) {
    const FrequencyPlan plan = plan_frequencies(spec_of(2 * pairs, base), exact_precision);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t chunk = next++; chunk < chunks; chunk = next++) {
            const RotaryTable table = build_table(plan, positions_of(chunk), format);
            count.values += table.cos.size() + table.sin.size();
            count.misrounded += misrounded(base, table, format);
        }
        mpfr_free_cache();
    };
    std::vector<std::thread> threads(std::max(1U, std::thread::hardware_concurrency()));
    for (std::thread& thread : threads) thread = std::thread(work);
    for (std::thread& thread : threads) thread.join();
    std::printf("%llu of %llu values misrounded\n",
                static_cast<unsigned long long>(count.misrounded),
                static_cast<unsigned long long>(count.values));
}

TEST(Exhaustive, EveryFloat32ValueTo131072) {
    constexpr std::uint64_t rows = 1024;
    Count count;
    judge(count, 1e4, Format::float32, 131072 / rows, [](std::size_t chunk) {
        std::vector<std::uint64_t> m(rows);
        std::iota(m.begin(), m.end(), chunk * rows);
        return m;
    });
    EXPECT_EQ(count.values, 131072U * 64 * 2);
    EXPECT_EQ(count.misrounded, 0U);
}

// In the tile of each of these positions, all below 2^24, some cos or sin is so close to a tie
// that the exact row, in double, falls on the other side.
TEST(Exhaustive, ValuesThatDoubleWouldMisround) {
    constexpr std::uint64_t hard[] = {977267,  2289215,  2307380,  4524508,  5638343, 6565759,
                                      7468984, 10461481, 11276686, 11679400, 14978595};
    for (const std::uint64_t m : hard) {
        std::vector<std::uint64_t> tile(tile_rows);
        std::iota(tile.begin(), tile.end(), m - m % tile_rows);
        const FrequencyPlan plan = plan_frequencies(spec_of(2 * pairs, 1e4), exact_precision);
        const RotaryTable table = build_table(plan, tile, Format::float32);
        EXPECT_EQ(misrounded(1e4, table, Format::float32), 0U) << m;
    }
}

class RandomPositions : public testing::TestWithParam<Format> {};

TEST_P(RandomPositions, ToTheLargestContext) {
    for (const double base : {1e4, 5e5}) {
        Count count;
        judge(count, base, GetParam(), 20, [](std::size_t chunk) {
            auto m = Seeded(chunk + 1).positions(1000, std::uint64_t{1} << 32);
            m.back() = (std::uint64_t{1} << 32) - 1 - chunk;
            return m;
        });
        EXPECT_EQ(count.values, 20000U * 64 * 2);
        EXPECT_EQ(count.misrounded, 0U) << base;
    }
}

INSTANTIATE_TEST_SUITE_P(Exhaustive, RandomPositions,
                         testing::Values(Format::float32, Format::bfloat16, Format::float16),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace truth_test
}  // namespace rope
