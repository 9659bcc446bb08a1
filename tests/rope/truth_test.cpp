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
#include "rope/rows/exact_rows.hpp"
#include "rope/seeded.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/specs.hpp"
#include "tests/rope/golden_vectors.hpp"

namespace rope::truth_test {

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
    for (const Format format :
         {Format::float64, Format::float32, Format::bfloat16, Format::float16})
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
    for (const Format format :
         {Format::float64, Format::float32, Format::bfloat16, Format::float16})
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

// x1·cos + x2·sin of the exact angle, rounded once by MPFR.
double rotated(double x1, double x2, const oracle::Real& cos, const oracle::Real& sin,
               Format format) {
    oracle::Real a(400), b(400);
    mpfr_mul_d(a, cos, x1, MPFR_RNDN);
    mpfr_mul_d(b, sin, x2, MPFR_RNDN);
    mpfr_add(a, a, b, MPFR_RNDN);
    return format == Format::float64 ? mpfr_get_d(a, MPFR_RNDN) : oracle::nearest(format, a);
}

TEST(GoldenVectors, EveryRotationIsTheNearestNumberOfItsFormat) {
    Seeded random(7);
    const std::vector<std::uint64_t> positions = random.positions(40, std::uint64_t{1} << 20);
    for (const PairLayout layout : {PairLayout::half_split, PairLayout::interleaved})
        for (const Format format :
             {Format::float32, Format::bfloat16, Format::float16, Format::float64}) {
            const Spec spec = partial(16, 12, layout);
            const GoldenVectors golden =
                golden_vectors_at(spec, {{positions.begin(), positions.end()}}, format, 3);
            for (std::size_t r = 0; r < positions.size(); ++r) {
                const double *q = &golden.q[r * 16], *y = &golden.q_rot[r * 16];
                for (std::uint32_t i = 0; i < 6; ++i) {
                    const bool half = layout == PairLayout::half_split;
                    const std::size_t first = half ? i : 2 * i, second = half ? i + 6 : 2 * i + 1;
                    oracle::Real theta, cos, sin;
                    oracle::set_theta(theta, 10000, i, 12);
                    oracle::cos_sin(cos, sin, theta, positions[r]);
                    ASSERT_EQ(y[first], rotated(q[first], -q[second], cos, sin, format));
                    ASSERT_EQ(y[second], rotated(q[second], q[first], cos, sin, format));
                }
                for (std::size_t dimension = 12; dimension < 16; ++dimension)
                    ASSERT_EQ(y[dimension], q[dimension]);
            }
        }
}

// Any double is a valid position: its size, its sign and its last bit have an effect.
std::vector<double> real_positions() {
    std::vector<double> positions{
        0.0,  -0.0,   1,      -1,           0.1,         -0.1,   0.5,       -11.5,          1.0 / 3,
        1e-9, -1e-30, 5e-324, 4294967295.5, -4294967295, 1e-300, 1048576.1, 2147483648.0625};
    Seeded random(11);
    for (int k = 0; k < 60; ++k)
        positions.push_back(random.within(-1, 1) * std::exp2(random.within(-40, 31)));
    return positions;
}

TEST(GoldenVectors, AreNearestAtAnyRealPosition) {
    const std::vector<double> positions = real_positions();
    for (const Format format :
         {Format::float32, Format::bfloat16, Format::float16, Format::float64}) {
        const Spec spec = spec_of(8, 10000);
        const GoldenVectors golden = golden_vectors_at(spec, {positions}, format, 3);
        for (std::size_t r = 0; r < positions.size(); ++r)
            for (std::uint32_t i = 0; i < 4; ++i) {
                oracle::Real theta, angle(400), cos(400), sin(400);
                oracle::set_theta(theta, 10000, i, 8);
                mpfr_mul_d(angle, theta, positions[r], MPFR_RNDN);
                mpfr_sin_cos(sin, cos, angle, MPFR_RNDN);
                EXPECT_EQ(golden.table.cos[r * 4 + i], rotated(1, 0, cos, sin, format));
                EXPECT_EQ(golden.table.sin[r * 4 + i], rotated(0, 1, cos, sin, format))
                    << positions[r] << ' ' << i;
                const double *q = &golden.q[r * 8], *y = &golden.q_rot[r * 8];
                EXPECT_EQ(y[i], rotated(q[i], -q[i + 4], cos, sin, format));
                EXPECT_EQ(y[i + 4], rotated(q[i + 4], q[i], cos, sin, format)) << positions[r];
            }
    }
}

TEST(GoldenVectors, TurnBackAtNegativePositions) {
    Spec spec = partial(16, 12, PairLayout::interleaved);
    const GoldenVectors there = golden_vectors_at(spec, {{0.75, 3, 1e5}}, Format::float64, 5);
    const GoldenVectors back = golden_vectors_at(spec, {{-0.75, -3, -1e5}}, Format::float64, 5);
    spec.direction = Direction::reverse;
    const GoldenVectors reverse = golden_vectors_at(spec, {{0.75, 3, 1e5}}, Format::float64, 5);
    EXPECT_EQ(there.table.cos, back.table.cos);
    for (std::size_t k = 0; k < there.table.sin.size(); ++k)
        EXPECT_EQ(there.table.sin[k], -back.table.sin[k]);
    EXPECT_EQ(back.q_rot, reverse.q_rot);
    EXPECT_NE(back.q_rot, there.q_rot);
}

// At n/2 the angle π/2n·m is an eighth of a turn, and at fractions the cosine is exactly 0, ½ and
// 1.
TEST(GoldenVectors, AreExactAtRationalTurnsOfFractions) {
    Spec spec = spec_of(2, 10000, he_xu(), 3);  // pair 0: a twelfth of a turn
    const GoldenVectors golden =
        golden_vectors_at(spec, {{0, 2, 3, -3, 6, 10.5, -10.5, 12}}, Format::float64, 1);
    EXPECT_EQ(golden.table.cos[1], 0.5);
    EXPECT_EQ(golden.table.cos[2], 0);
    EXPECT_EQ(golden.table.sin[3], -1);
    EXPECT_EQ(golden.table.cos[4], -1);
    EXPECT_EQ(golden.table.cos[5], golden.table.cos[6]);
    EXPECT_EQ(golden.table.sin[4], 0);
    EXPECT_EQ(golden.q_rot[14], golden.q[14]);
    EXPECT_EQ(golden.q_rot[15], golden.q[15]);
    spec.max_position_embeddings = 1;  // a quarter turn
    const GoldenVectors halves =
        golden_vectors_at(spec, {{0.5, 1, 1.5, 2}}, Format::float64, std::nullopt);
    EXPECT_EQ(halves.table.cos[1], 0);
    EXPECT_EQ(halves.table.cos[0], halves.table.sin[0]);
}

TEST(GoldenVectors, TurnEachPairByItsAxis) {
    const Spec spec = on_axes(spec_of(8, 10000), {AxisScheme::axial});
    const GoldenVectors golden = golden_vectors_at(spec, {{0.5, 2}, {-7, 3}}, Format::float32, 3);
    const GoldenVectors x = golden_vectors_at(spec, {{0.5, 2}}, Format::float32, 3);
    const GoldenVectors y = golden_vectors_at(spec, {{-7, 3}}, Format::float32, 3);
    for (std::size_t r = 0; r < 2; ++r)
        for (std::size_t i = 0; i < 4; ++i) {
            const GoldenVectors& one = i < 2 ? x : y;
            EXPECT_EQ(golden.table.cos[r * 4 + i], one.table.cos[r * 4 + i]);
            EXPECT_EQ(golden.table.sin[r * 4 + i], one.table.sin[r * 4 + i]);
            for (const std::size_t dimension : {i, i + 4})
                EXPECT_EQ(golden.k_rot[r * 8 + dimension], one.k_rot[r * 8 + dimension]);
        }
}

TEST(GoldenVectors, TheAttentionFactorMultipliesTablesAndRotations) {
    Spec spec = spec_of(64, 10000, yarn(4, 512));
    spec.scaling.attention_factor = 1.5;
    const GoldenVectors golden = golden_vectors_at(spec, {{0, 7}}, Format::float32, 1);
    EXPECT_EQ(golden.table.cos[0], 1.5);
    EXPECT_EQ(golden.q_rot[0], round_to(Format::float32, 1.5 * golden.q[0]));
}

TEST(GoldenVectors, AnglesAreTheProductRoundedOnce) {
    const Spec spec = spec_of(8, 10000);
    const std::vector<double> angles = GoldenRows(spec, Format::float32).angles({{3, 65535}});
    EXPECT_EQ(angles[0], 3);
    EXPECT_EQ(angles[4], 65535);
    EXPECT_EQ(angles[5], round_to(Format::float32, 6553.5));
}

// Draws vectors in parts.
TEST(GoldenVectors, AreDrawnFromAnyPlaceOn) {
    const std::vector<double> all = golden_normals(5, 0, 100, Format::bfloat16);
    const std::vector<double> later = golden_normals(5, 37, 63, Format::bfloat16);
    EXPECT_TRUE(std::equal(later.begin(), later.end(), all.begin() + 37, all.end()));
}

}  // namespace rope::truth_test
