// Angles that were accumulated in float32 from position to position.
#include <gtest/gtest.h>

#include <cmath>

#include "rope/evidence/hypothesis.hpp"

namespace rope {
namespace stepped_misfit_test {

constexpr float theta = 0x1p-12F;  // sums are exact up to 2^24 times θ

Samples summed_at(const std::vector<double>& positions) {
    Samples samples{.pairs = 1, .positions = {positions}, .storage = 1e-7};
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
    Samples samples{.pairs = 1, .positions = {{}}, .storage = 1e-7};
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

}  // namespace stepped_misfit_test
}  // namespace rope
