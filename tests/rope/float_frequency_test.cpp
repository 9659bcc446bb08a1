// A frequency of many turns per position, identified from the angles of its float32 products.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "rope/evidence/hypothesis.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "tests/rope/seeded.hpp"

namespace rope::float_frequency_test {

Samples one_pair_at(const std::vector<double>& positions, double storage) {
    Samples samples;
    samples.pairs = 1;
    samples.positions = {positions};
    samples.storage = storage;
    return samples;
}

// One pair of a table that rotates by fl32(m·t), with cos and sin in `format`.
Samples turned_by(float t, const std::vector<double>& positions, Format format) {
    Samples samples = one_pair_at(positions, std::numbers::sqrt2 * half_spacing(format, 1));
    samples.format = format;
    for (const double m : positions) {
        const auto angle = static_cast<double>(static_cast<float>(m) * t);
        const double c = round_to(format, std::cos(angle)), s = round_to(format, std::sin(angle));
        samples.angle.push_back(std::atan2(s, c));
        samples.modulus.push_back(std::hypot(c, s));
    }
    return samples;
}

std::vector<double> sorted_positions(Seeded& random, std::size_t count, double first) {
    std::vector<double> positions{first};
    while (positions.size() < count)
        positions.push_back(positions.back() + 1 + static_cast<double>(random.below(40)));
    return positions;
}

class FloatFrequencies : public ::testing::TestWithParam<Format> {};

TEST_P(FloatFrequencies, AreFoundFromNearAndFarRows) {
    Seeded random(7);
    for (const double first : {1.0, 23.0, 118.0})
        for (int k = 0; k < 6; ++k) {
            const auto t = static_cast<float>(5000 + 25000 * random.unit());
            const Samples samples = turned_by(t, sorted_positions(random, 24, first), GetParam());
            const auto found = float_frequency(samples, Orientation::right, 0);
            ASSERT_TRUE(found) << t << " from position " << first;
            EXPECT_NEAR(*found, static_cast<double>(t), 1e-6 * static_cast<double>(t));
        }
}

INSTANTIATE_TEST_SUITE_P(Formats, FloatFrequencies,
                         ::testing::Values(Format::float32, Format::float16, Format::bfloat16),
                         [](const auto& one) { return std::string(to_string(one.param)); });

TEST(FloatFrequency, IsNotFoundInAnglesOfNoNumber) {
    Seeded random(3);
    for (const Format format : {Format::float32, Format::bfloat16}) {
        Samples samples = turned_by(1, sorted_positions(random, 24, 1), format);
        for (double& angle : samples.angle) angle = 6 * random.unit() - 3;
        EXPECT_FALSE(float_frequency(samples, Orientation::right, 0));
    }
}

TEST(FloatFrequency, IsLeftOpenByAFewRowsOf16Bits) {
    Seeded random(5);
    const Samples samples = turned_by(9073, sorted_positions(random, 5, 3), Format::bfloat16);
    EXPECT_FALSE(float_frequency(samples, Orientation::right, 0));
}

// Angles that were accumulated in float32 from position to position.

constexpr float theta = 0x1p-12F;  // sums are exact up to 2^24 times θ

Samples summed_at(const std::vector<double>& positions) {
    Samples samples = one_pair_at(positions, 1e-7);
    for (const double m : positions) {
        samples.angle.push_back(within_half_a_turn(std::max(m, 0.0) * theta));
        samples.modulus.push_back(1);
    }
    return samples;
}

double misfit_of(const Samples& samples) {
    Hypothesis hypothesis{.theta = {theta}, .angle_k = {8}, .axis = {0}};
    hypothesis.rounding.method = Rounding::Method::accumulated;
    return stepped_misfit(samples, hypothesis, 1);
}

TEST(SteppedMisfit, IsSmallOfAnglesThatWereAddedUp) {
    EXPECT_LE(misfit_of(summed_at({0, 1, 100, 1 << 21})), 1);
}

// 2^21 sums, each rounded: the last is 1.6 % too small.
TEST(SteppedMisfit, IsSmallOfSumsThatHaveLeftTheirProduct) {
    constexpr float odd_theta = 1.0e-3F;
    Samples samples = one_pair_at({}, 1e-7);
    float angle = 0;
    for (int m = 0; m <= 1 << 21; ++m, angle += odd_theta) {
        if ((m & (m - 1)) != 0) continue;
        samples.positions[0].push_back(m);
        samples.angle.push_back(within_half_a_turn(static_cast<double>(angle)));
        samples.modulus.push_back(1);
    }
    Hypothesis hypothesis{.theta = {static_cast<double>(odd_theta)}, .angle_k = {8}, .axis = {0}};
    hypothesis.rounding.method = Rounding::Method::accumulated;
    EXPECT_LE(stepped_misfit(samples, hypothesis, 1), 1);
    hypothesis.theta[0] *= 1.01;
    EXPECT_EQ(stepped_misfit(samples, hypothesis, 1), HUGE_VAL);
}

TEST(SteppedMisfit, IsInfiniteWhereAPositionIsTooFarToStepTo) {
    EXPECT_EQ(misfit_of(summed_at({0, 1, 3 << 20})), HUGE_VAL);
    // outward from 0, the last row does not need the most steps
    EXPECT_EQ(misfit_of(summed_at({0, 3 << 20, -1.0 * (1 << 22)})), HUGE_VAL);
    Samples axes = summed_at({0, 1, 2});
    axes.positions.push_back({0, 1, 3 << 20});
    EXPECT_EQ(misfit_of(axes), HUGE_VAL);
}

}  // namespace rope::float_frequency_test
