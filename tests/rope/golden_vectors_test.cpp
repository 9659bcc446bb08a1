#include "rope/table/golden_vectors.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "rope/spec/frequency.hpp"
#include "tests/rope/oracle.hpp"
#include "tests/rope/seeded.hpp"

namespace rope {
namespace golden_vectors_test {

Spec spec_of(std::uint32_t head_dim, std::uint32_t rotary_dim, PairLayout layout) {
    Spec spec;
    spec.head_dim = head_dim;
    spec.rotary_dim = rotary_dim;
    spec.layout = layout;
    return spec;
}

GoldenVectors golden_vectors(const Spec& spec, const std::vector<std::uint64_t>& positions,
                             Format format, std::optional<std::uint64_t> seed) {
    GoldenVectors golden =
        golden_vectors_at(spec, {{positions.begin(), positions.end()}}, format, seed);
    golden.table.positions = positions;
    return golden;
}

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
            const Spec spec = spec_of(16, 12, layout);
            const GoldenVectors golden = golden_vectors(spec, positions, format, 3);
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

TEST(GoldenVectors, TablesOfFloat64AreCorrectlyRoundedToo) {
    const Spec spec = spec_of(8, 8, PairLayout::half_split);
    const GoldenVectors golden =
        golden_vectors(spec, {0, 1, 31, 1000, 131071}, Format::float64, std::nullopt);
    EXPECT_TRUE(golden.q.empty());
    for (std::size_t r = 0; r < 5; ++r)
        for (std::uint32_t i = 0; i < 4; ++i) {
            oracle::Real theta, cos, sin;
            oracle::set_theta(theta, 10000, i, 8);
            oracle::cos_sin(cos, sin, theta, golden.table.positions[r]);
            EXPECT_EQ(golden.table.cos[r * 4 + i], mpfr_get_d(cos, MPFR_RNDN));
            EXPECT_EQ(golden.table.sin[r * 4 + i], mpfr_get_d(sin, MPFR_RNDN));
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

void set_angle(oracle::Real& angle, const oracle::Real& theta, double position) {
    mpfr_mul_d(angle, theta, position, MPFR_RNDN);
}

TEST(GoldenVectors, AreNearestAtAnyRealPosition) {
    const std::vector<double> positions = real_positions();
    for (const Format format :
         {Format::float32, Format::bfloat16, Format::float16, Format::float64}) {
        const Spec spec = spec_of(8, 8, PairLayout::half_split);
        const GoldenVectors golden = golden_vectors_at(spec, {positions}, format, 3);
        for (std::size_t r = 0; r < positions.size(); ++r)
            for (std::uint32_t i = 0; i < 4; ++i) {
                oracle::Real theta, angle(400), cos(400), sin(400);
                oracle::set_theta(theta, 10000, i, 8);
                set_angle(angle, theta, positions[r]);
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
    Spec spec = spec_of(16, 12, PairLayout::interleaved);
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
    Spec spec = spec_of(2, 2, PairLayout::half_split);
    spec.scaling.rope_type = "he_xu";
    spec.max_position_embeddings = 3;  // pair 0: a twelfth of a turn
    const GoldenVectors golden =
        golden_vectors_at(spec, {{0, 2, 3, -3, 6, 10.5, -10.5}}, Format::float64, std::nullopt);
    EXPECT_EQ(golden.table.cos[1], 0.5);
    EXPECT_EQ(golden.table.cos[2], 0);
    EXPECT_EQ(golden.table.sin[3], -1);
    EXPECT_EQ(golden.table.cos[4], -1);
    EXPECT_EQ(golden.table.cos[5], golden.table.cos[6]);
    EXPECT_EQ(golden.table.sin[4], 0);
    spec.max_position_embeddings = 1;  // a quarter turn
    const GoldenVectors halves =
        golden_vectors_at(spec, {{0.5, 1, 1.5, 2}}, Format::float64, std::nullopt);
    EXPECT_EQ(halves.table.cos[1], 0);
    EXPECT_EQ(halves.table.cos[0], halves.table.sin[0]);
}

TEST(GoldenVectors, TurnEachPairByItsAxis) {
    Spec spec = spec_of(8, 8, PairLayout::half_split);
    spec.axes = {AxisScheme::axial};
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

TEST(GoldenVectors, PositionZeroChangesNothing) {
    const Spec spec = spec_of(64, 64, PairLayout::half_split);
    const GoldenVectors golden = golden_vectors(spec, {0}, Format::bfloat16, 1);
    EXPECT_EQ(golden.q_rot, golden.q);
    EXPECT_EQ(golden.k_rot, golden.k);
    EXPECT_NE(golden.q, golden.k);
}

// He & Xu's pair 0 returns after 4n positions: the angle is a rational part of a turn.
TEST(GoldenVectors, AWholeTurnChangesNothing) {
    Spec spec = spec_of(64, 64, PairLayout::half_split);
    spec.scaling.rope_type = "he_xu";
    spec.max_position_embeddings = 3000;
    const GoldenVectors golden = golden_vectors(spec, {12000}, Format::float64, 1);
    EXPECT_EQ(golden.q_rot[0], golden.q[0]);
    EXPECT_EQ(golden.q_rot[32], golden.q[32]);
}

TEST(GoldenVectors, TheAttentionFactorMultipliesTablesAndRotations) {
    Spec spec = spec_of(64, 64, PairLayout::half_split);
    spec.scaling = {.rope_type = "yarn",
                    .factor = 4,
                    .original_max_position_embeddings = 512,
                    .attention_factor = 1.5};
    const GoldenVectors golden = golden_vectors(spec, {0, 7}, Format::float32, 1);
    EXPECT_EQ(golden.table.cos[0], 1.5);
    EXPECT_EQ(golden.q_rot[0], round_to(Format::float32, 1.5 * golden.q[0]));
}

TEST(GoldenVectors, AnglesAreTheProductRoundedOnce) {
    const Spec spec = spec_of(8, 8, PairLayout::half_split);
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

}  // namespace golden_vectors_test
}  // namespace rope
