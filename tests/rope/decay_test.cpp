#include "rope/checks/decay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <utility>

#include "rope/specs.hpp"

namespace rope {
namespace decay_test {

FrequencyPlan plan_of(const Spec& spec) { return plan_frequencies(spec, exact_precision); }

struct Value {
    std::size_t s;
    double base, scaled;
};

TEST(Decay, MeanCosineTo15Digits) {
    // clang-format off
    const Value table[] = {
        {0,      1,                     1},
        {1,      0.970213809465119135,  0.999999981624205886},
        {2,      0.896591571137871294,  0.999999926496829723},
        {7,      0.731591104281689000,  0.999999099587299228},
        {512,    0.219424372560104330,  0.995218134720762750},
        {1024,   0.204441419254552918,  0.981288877745690388},
        {2047,   0.136313188015677887,  0.931498610455191936},
        {2048,   0.119283917690929348,  0.931439466781134873},
        {4096,  -0.052853342570036882,  0.805413591066183690},
        {8192,   0.024909272509725568,  0.735343308428702207},
        {16384, -0.142275898923308679,  0.661902919985352937},
    };
    // clang-format on
    const auto base = decay_curves(plan_of(spec_of(128, 1e4)), 16384).mean_cos;
    const auto scaled = decay_curves(plan_of(spec_of(128, 1e4, he_xu())), 16384).mean_cos;
    for (const Value& value : table) {
        EXPECT_NEAR(base[value.s], value.base, 1e-15) << value.s;
        EXPECT_NEAR(scaled[value.s], value.scaled, 1e-15) << value.s;
    }
    EXPECT_NEAR(scaled[7327], 0.735232081709718246, 1e-15);
}

TEST(Decay, RoFormersBoundTo12Decimals) {
    const std::pair<std::size_t, double> table[] = {{0, 32.5},
                                                    {1, 31.538166142658},
                                                    {2, 28.955988473564},
                                                    {5, 20.845357778357},
                                                    {10, 17.954137137085},
                                                    {20, 15.242430108722},
                                                    {50, 12.629452488319},
                                                    {100, 10.227329948505},
                                                    {250, 6.548179031942},
                                                    {1024, 4.024113380546},
                                                    {2048, 3.618515443053},
                                                    {4096, 4.882792191194},
                                                    {100000, 6.887981584320}};
    const auto curve = decay_curves(plan_of(spec_of(128, 1e4)), 100000).roformer;
    for (const auto& [s, value] : table) EXPECT_NEAR(curve[s], value, 1e-12) << s;
    // counted and minimised to 4096
    const auto least = std::min_element(curve.begin(), curve.begin() + 4097);
    EXPECT_EQ(least - curve.begin(), 3643);
    EXPECT_NEAR(*least, 2.231815896034579, 1e-12);
    int rises = 0;
    for (std::size_t s = 1; s <= 256; ++s) rises += curve[s] > curve[s - 1] ? 1 : 0;
    EXPECT_EQ(rises, 115);
}

TEST(Decay, TheMeanCosineComputedSeparatelyHasTheSameBits) {
    DecayBlocks blocks(plan_of(spec_of(130, 1e4)));
    std::array<double, DecayBlocks::size> both, alone, roformer;
    for (const std::uint64_t first : {0U, 64U, 1U << 20}) {
        blocks.fill(first, both.data(), roformer.data());
        blocks.fill_mean_cos(first, alone.data());
        EXPECT_EQ(both, alone);
    }
}

TEST(Decay, RoFormersBoundInFloat32IsWithinItsError) {
    for (const std::uint32_t dim : {2U, 128U, 4096U}) {
        DecayBlocks blocks(plan_of(spec_of(dim, 1e4)));
        std::array<double, DecayBlocks::size> unused, curve;
        std::array<float, DecayBlocks::size> none, near;
        for (const std::uint64_t first : {0U, 64U, 1U << 20}) {
            blocks.fill(first, unused.data(), curve.data());
            blocks.fill(first, none.data(), near.data());
            for (std::size_t k = 0; k < curve.size(); ++k)
                ASSERT_NEAR(near[k], curve[k], blocks.near_roformer_error()) << dim << ' ' << k;
        }
    }
}

TEST(Decay, TwiceTheContextIsTheSameCurveAtHalfTheSpeed) {
    const auto once = decay_curves(plan_of(spec_of(128, 1e4, he_xu(), 2048)), 4096);
    const auto twice = decay_curves(plan_of(spec_of(128, 1e4, he_xu(), 4096)), 8192);
    for (std::size_t s = 0; s <= 4096; ++s) {
        ASSERT_NEAR(twice.mean_cos[2 * s], once.mean_cos[s], 1e-14) << s;
        ASSERT_NEAR(twice.roformer[2 * s], once.roformer[s], 1e-12) << s;
    }
}

TEST(Decay, TheExactStepsAreTheSignsOfTheCurves) {
    const FrequencyPlan base = plan_of(spec_of(64, 1e4)),
                        scaled = plan_of(spec_of(128, 1e4, he_xu()));
    const DecayCurves curves = decay_curves(base, 500);
    for (std::uint64_t s = 1; s <= 500; ++s) {
        EXPECT_EQ(exact_mean_cos_step(base, s) > 0, curves.mean_cos[s] > curves.mean_cos[s - 1])
            << s;
        EXPECT_EQ(exact_roformer_step(base, s) > 0, curves.roformer[s] > curves.roformer[s - 1])
            << s;
        EXPECT_EQ(exact_mean_cos_sign(base, s) > 0, curves.mean_cos[s] > 0) << s;
    }
    const FrequencyPlan pair = plan_of(spec_of(2, 1e4, he_xu()));
    EXPECT_EQ(exact_mean_cos_sign(pair, 2047), 1);
    EXPECT_EQ(exact_mean_cos_sign(pair, 2048), 0);
    EXPECT_EQ(exact_mean_cos_sign(pair, 2049), -1);
    // λ = 7: cos(2π·3/7) = cos(2π·4/7)
    const FrequencyPlan seventh{{{BigReal::pi(exact_precision) * 2.0 / 7.0, RationalTurn{1, 7}}}};
    EXPECT_EQ(exact_mean_cos_step(seventh, 3), -1);
    EXPECT_EQ(exact_mean_cos_step(seventh, 4), 0);
    EXPECT_EQ(exact_mean_cos_step(seventh, 5), 1);
    for (const std::uint64_t s : {1U, 52U, 2374U}) EXPECT_EQ(exact_roformer_step(pair, s), 0);
    EXPECT_EQ(exact_mean_cos_step(scaled, 7327), -1);
    EXPECT_EQ(exact_mean_cos_step(scaled, 7328), 1);
}

}  // namespace decay_test
}  // namespace rope
