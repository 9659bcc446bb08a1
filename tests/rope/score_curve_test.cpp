#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <utility>

#include "rope/checks/error_map.hpp"
#include "rope/number/random.hpp"
#include "rope/subject/emulate.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace score_curve_test {

ScoreCurve curve_of(const Spec& spec, const char* pipeline, std::uint64_t context,
                    std::uint64_t seed = 1) {
    return score_curve(spec, *emulate(spec, find_pipeline(pipeline), context), seed);
}

// ⟨R(s)q, k⟩/√d from the definition, in double.
TEST(ScoreCurve, IsTheScoreOfTheDistance) {
    Spec spec = spec_of(8, 1e4);
    spec.rotary_dim = 6;
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
    QueryAndKey given;
    Random random(5);
    for (int dimension = 0; dimension < 8; ++dimension) {
        given.q.push_back(random.normal());
        given.k.push_back(random.normal());
    }
    const Spec spec = spec_of(8, 1e4);
    const auto subject = emulate(spec, find_pipeline("hf-fp32"), 300);
    const ScoreCurve curve = score_curve(spec, *subject, given);
    EXPECT_EQ(curve.exact, score_curve(spec, *subject, 5).exact);
    // √ of half of Σ|q_i|²|k_i|², over √d
    double squares = 0;
    for (std::size_t i = 0; i < 4; ++i)
        squares += std::norm(std::complex(given.q[i], given.q[i + 4])) *
                   std::norm(std::complex(given.k[i], given.k[i + 4])) / 2;
    EXPECT_NEAR(curve.spread, std::sqrt(squares / 8), 1e-12);
    given.k.assign(8, 0);
    given.k[0] = 1;
    const ScoreCurve one = score_curve(spec, *subject, given);  // only pair 0
    for (const std::size_t s : {0U, 1U, 299U}) {
        const auto angle = static_cast<double>(s);
        EXPECT_NEAR(one.exact[s],
                    (given.q[0] * std::cos(angle) - given.q[4] * std::sin(angle)) / std::sqrt(8),
                    1e-12);
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
    Spec spec = spec_of(8, 1e4);
    spec.scaling = {.rope_type = "yarn",
                    .factor = 4,
                    .original_max_position_embeddings = 2048,
                    .attention_factor = 3};
    const ScoreCurve curve = curve_of(spec, "exact", 64);
    EXPECT_NEAR(curve.spread, 9, 1e-12);
    for (std::size_t s = 0; s < 64; ++s) EXPECT_NEAR(curve.own[s], curve.exact[s], 1e-4);
}

}  // namespace score_curve_test
}  // namespace rope
