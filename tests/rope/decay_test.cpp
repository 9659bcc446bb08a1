#include "rope/checks/decay.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <utility>

#include "rope/checks/error_map.hpp"
#include "rope/exact/random.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/specs.hpp"

namespace rope::decay_test {

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
    using enum DecayCurve;
    const FrequencyPlan base = plan_of(spec_of(64, 1e4)),
                        scaled = plan_of(spec_of(128, 1e4, he_xu()));
    const DecayCurves curves = decay_curves(base, 500);
    for (std::uint64_t s = 1; s <= 500; ++s) {
        EXPECT_EQ(exact_step(base, mean_cos, s) > 0, curves.mean_cos[s] > curves.mean_cos[s - 1])
            << s;
        EXPECT_EQ(exact_step(base, roformer, s) > 0, curves.roformer[s] > curves.roformer[s - 1])
            << s;
    }
    const FrequencyPlan pair = plan_of(spec_of(2, 1e4, he_xu()));
    // λ = 7: cos(2π·3/7) = cos(2π·4/7)
    const FrequencyPlan seventh{{{BigReal::pi(exact_precision) * 2.0 / 7.0, RationalTurn{1, 7}}}};
    EXPECT_EQ(exact_step(seventh, mean_cos, 3), -1);
    EXPECT_EQ(exact_step(seventh, mean_cos, 4), 0);
    EXPECT_EQ(exact_step(seventh, mean_cos, 5), 1);
    for (const std::uint64_t s : {1U, 52U, 2374U}) EXPECT_EQ(exact_step(pair, roformer, s), 0);
    EXPECT_EQ(exact_step(scaled, mean_cos, 7327), -1);
    EXPECT_EQ(exact_step(scaled, mean_cos, 7328), 1);
}

ScoreCurve curve_of(const Spec& spec, const char* pipeline, std::uint64_t context,
                    std::uint64_t seed = 1) {
    return score_curve(spec, *emulate(spec, find_pipeline(pipeline), context),
                       random_vectors(spec, seed));
}

// ⟨R(s)q, k⟩/√d from the definition, in double.
TEST(ScoreCurve, IsTheScoreOfTheDistance) {
    const Spec spec = partial(8, 6);
    std::vector<double> q, k;
    Random random(5);
    for (int dimension = 0; dimension < 8; ++dimension) {
        q.push_back(random.normal());
        k.push_back(random.normal());
    }
    const ScoreCurve curve = curve_of(spec, "hf-fp32", 300, 5);
    ASSERT_EQ(curve.exact.size(), 300U);
    for (std::size_t s = 0; s < 300; ++s) {
        double score = q[6] * k[6] + q[7] * k[7];
        for (std::size_t i = 0; i < 3; ++i) {  // dimensions i and i + 3
            const double angle =
                static_cast<double>(s) * std::pow(1e4, -2.0 * static_cast<double>(i) / 6);
            const std::complex<double> rotated =
                std::polar(1.0, angle) * std::complex(q[i], q[i + 3]);
            score += rotated.real() * k[i] + rotated.imag() * k[i + 3];
        }
        ASSERT_NEAR(curve.exact[s], score / std::sqrt(8), 1e-12) << s;
        ASSERT_NEAR(curve.own[s], curve.exact[s], 1e-3) << s;
    }
    EXPECT_NEAR(curve.spread, 1, 1e-12);
    EXPECT_FALSE(curve.first_off);
}

// data/claims, dynamic-cached-keys: B̂ at key 2100 is 0.153 with the base of 4096 positions
TEST(ScoreCurve, CachedKeysKeepTheBaseOfTheirStep) {
    Spec spec = spec_of(128, 1e4, Scaling{.rope_type = "dynamic", .factor = 2});
    const std::vector<double> ones(128, 1);
    const auto cached = emulate_cached_keys(spec, 4096);
    const ScoreCurve curve = score_curve(with_table_of(spec, 4096), *cached, {ones, ones});
    const double most = std::sqrt(128);  // ⟨1, 1⟩/√d
    EXPECT_NEAR(curve.own[1995] / most, 0.438943106675245, 1e-5);
    EXPECT_NEAR(curve.exact[1995] / most, 0.153407485369129, 1e-12);
    EXPECT_NEAR(curve.own[4095], curve.exact[4095], 1e-4);  // key 0 is not rotated
    EXPECT_EQ(curve.first_off, 2U);
}

// longrope: keys within original_max_position_embeddings have short_factor, and attention_factor
TEST(ScoreCurve, CachedKeysKeepTheListOfTheirStep) {
    Spec spec = spec_of(4, 1e4, {}, 64);
    spec.scaling = {.rope_type = "longrope",
                    .original_max_position_embeddings = 16,
                    .short_factor = {1, 1},
                    .long_factor = {2, 2}};
    const Spec short_spec = with_table_of(spec, 16), long_spec = with_table_of(spec, 64);
    const auto rows = [](const RowSource& subject, std::uint64_t m) {
        std::array<double, 2> cos, sin;
        subject.read({0, 2})->fill({&m, 1}, cos.data(), sin.data());
        return std::pair{cos, sin};
    };
    const Pipeline& exact = find_pipeline("exact");
    const auto cached = emulate_cached_keys(spec, 64);
    for (const std::uint64_t m : {0U, 15U, 16U, 63U}) {
        const auto [cos, sin] = rows(*cached, m);
        const auto [want_cos, want_sin] =
            rows(*emulate(m < 16 ? short_spec : long_spec, exact, 64), m);
        for (std::size_t i = 0; i < 2; ++i) {
            EXPECT_NEAR(cos[i], want_cos[i], 1e-5) << m;
            EXPECT_NEAR(sin[i], want_sin[i], 1e-5) << m;
        }
    }
}

TEST(ScoreCurve, IsOfGivenVectors) {
    QueryAndKey given{{1, 2, 3, 4, 5, 6, 7, 8}, {1, 0, 0, 0, 0, 0, 0, 0}};  // only pair 0
    const Spec spec = spec_of(8, 1e4);
    const ScoreCurve one = score_curve(spec, *emulate(spec, find_pipeline("hf-fp32"), 300), given);
    // √ of half of |q_0|²|k_0|², over √d
    EXPECT_NEAR(one.spread, std::sqrt((1 + 25) / 2.0 / 8), 1e-12);
    for (const std::size_t s : {0U, 1U, 299U}) {
        const auto angle = static_cast<double>(s);
        EXPECT_NEAR(one.exact[s], (std::cos(angle) - 5 * std::sin(angle)) / std::sqrt(8), 1e-12);
    }
}

// Pairs are summed 4096 at a time.
TEST(ScoreCurve, SumsEveryPairOfAWideHead) {
    const Spec spec = spec_of(16384, 1e4);
    QueryAndKey ones{std::vector<double>(16384, 1), std::vector<double>(16384, 1)};
    const ScoreCurve curve = score_curve(spec, *emulate(spec, find_pipeline("exact"), 70), ones);
    for (const std::size_t s : {0U, 1U, 69U}) {
        double score = 0;
        for (int i = 0; i < 8192; ++i)
            score += 2 * std::cos(static_cast<double>(s) * std::pow(1e4, -2.0 * i / 16384));
        EXPECT_NEAR(curve.exact[s], score / 128, 1e-9) << s;
    }
}

TEST(ScoreCurve, NamesTheFirstDistanceOfDifferentScores) {
    const ScoreCurve curve = curve_of(spec_of(128, 1e4), "bf16-angles", 5000);
    ASSERT_TRUE(curve.first_off);
    const double limit = disagreement * curve.spread;
    for (std::size_t s = 0; s < *curve.first_off; ++s)
        EXPECT_LE(std::abs(curve.own[s] - curve.exact[s]), limit);
    EXPECT_GT(std::abs(curve.own[*curve.first_off] - curve.exact[*curve.first_off]), limit);
}

TEST(ScoreCurve, DisagreesWhereItIsNotANumber) {
    // float16 has no position beyond 65504
    EXPECT_EQ(curve_of(spec_of(8, 1e4), "chatglm-fp16", 70000).first_off, 0U);
}

TEST(ScoreCurve, GoesByTheAttentionFactor) {
    Spec spec = spec_of(8, 1e4, yarn(4, 2048));
    spec.scaling.attention_factor = 3;
    const ScoreCurve curve = curve_of(spec, "exact", 64);
    EXPECT_NEAR(curve.spread, 9, 1e-12);
    for (std::size_t s = 0; s < 64; ++s) EXPECT_NEAR(curve.own[s], curve.exact[s], 1e-4);
}

}  // namespace rope::decay_test
