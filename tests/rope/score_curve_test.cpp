#include "rope/judge/score_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "rope/number/random.hpp"
#include "rope/subject/pipeline.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace {

ScoreCurve curve_of(const Spec& spec, const char* pipeline, std::uint64_t context,
                    std::uint64_t seed = 1) {
    return score_curve(spec, *emulate(spec, find_pipeline(pipeline), context), seed);
}

// ⟨R(s)q, k⟩/√d from the definition, in plain doubles.
TEST(ScoreCurve, IsTheScoreOfTheDistance) {
    Spec spec = spec_of(8, 1e4);
    spec.rotary_dim = 6;
    std::vector<double> q, k;
    Random random(5);
    for (int lane = 0; lane < 8; ++lane) {
        q.push_back(random.normal());
        k.push_back(random.normal());
    }
    const ScoreCurve curve = curve_of(spec, "hf-fp32", 300, 5);
    ASSERT_EQ(curve.exact.size(), 300U);
    for (std::size_t s = 0; s < 300; ++s) {
        double score = q[6] * k[6] + q[7] * k[7];
        for (std::size_t i = 0; i < 3; ++i) {  // lanes i and i + 3
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

TEST(ScoreCurve, SaysWhereScoresFirstDisagree) {
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
    Spec spec = spec_of(8, 1e4);
    spec.scaling.rope_type = "yarn";
    spec.scaling.factor = 4;
    spec.scaling.original_max_position_embeddings = 2048;
    spec.scaling.attention_factor = 3;
    const ScoreCurve curve = curve_of(spec, "exact", 64);
    EXPECT_NEAR(curve.spread, 9, 1e-12);
    for (std::size_t s = 0; s < 64; ++s) EXPECT_NEAR(curve.own[s], curve.exact[s], 1e-4);
}

}  // namespace
}  // namespace rope
