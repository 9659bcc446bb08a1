// Angles that were added up in float32 from position to position.
#include "rope/diagnose/evidence/stepped_misfit.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace rope {
namespace {

constexpr float theta = 0x1p-12F;  // whose sums are exact up to 2^24 of it

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

TEST(SteppedMisfit, IsInfiniteWhereAPositionIsTooFarToStepTo) {
    EXPECT_EQ(misfit_of(summed_at({0, 1, 3 << 20})), HUGE_VAL);
    // outward from 0, the last row is not the one that takes most steps
    EXPECT_EQ(misfit_of(summed_at({0, 3 << 20, -1.0 * (1 << 22)})), HUGE_VAL);
    Samples axes = summed_at({0, 1, 2});
    axes.positions.push_back({0, 1, 3 << 20});
    EXPECT_EQ(misfit_of(axes), HUGE_VAL);
}

}  // namespace
}  // namespace rope
