// The effect of errors on a logit, compared with its closed form and with random q and k.
#include <gtest/gtest.h>

#include <cmath>

#include "rope/checks/scores.hpp"
#include "rope/subject/dump.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace logit_error_test {

std::vector<double> inv_freq_of(const Spec& spec, double scale) {
    std::vector<double> all;
    for (std::uint32_t i = 0; i < spec.pairs(); ++i)
        all.push_back(scale * std::pow(spec.rope_theta, -2.0 * i / spec.rotary_dim));
    return all;
}

// The angles of these frequencies at positions that are too large by a constant.
OwnTable table_of(const Spec& spec, const std::vector<double>& inv_freq, std::uint64_t rows,
                  double offset = 0) {
    OwnTable table =
        table_of_angles(counted(rows), spec.pairs(), Format::float64,
                        [&](double m, std::uint32_t i) { return (m + offset) * inv_freq[i]; });
    table.format = Format::float32;
    return table;
}

LogitErrors errors_of(const Spec& spec, const OwnTable& table) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const auto rows = table_rows(spec, table);
    return *logit_errors(make_comparison(spec, plan, *rows, 1));
}

// |Δ| = |e^{isθ̃} − e^{isθ}| = 2|sin(s(θ̃ − θ)/2)|
double closed_form(const Spec& spec, double scale, std::uint64_t distance) {
    double sum = 0;
    for (const double theta : inv_freq_of(spec, 1)) {
        const double half = static_cast<double>(distance) * theta * (scale - 1) / 2;
        sum += 8 * std::sin(half) * std::sin(half);
    }
    return std::sqrt(sum);
}

TEST(LogitError, OfFrequenciesTooHighIsItsClosedForm) {
    const Spec spec = spec_of(64, 10000);
    const double scale = 1.0001;
    const LogitErrors found = errors_of(spec, table_of(spec, inv_freq_of(spec, scale), 6000));
    EXPECT_DOUBLE_EQ(found.spread, 8);
    ASSERT_EQ(found.at.size(), 4U);
    for (const LogitError& one : found.at)
        EXPECT_NEAR(*one.rms, closed_form(spec, scale, one.distance), 1e-9) << one.distance;
    EXPECT_EQ(found.at.back().distance, 5999U);
    ASSERT_TRUE(found.matters_from);
    EXPECT_GT(closed_form(spec, scale, *found.matters_from), 0.8);
    EXPECT_LE(closed_form(spec, scale, *found.matters_from - 1), 0.8);
    // pair 0 rotates by 0.5999 too much, as if the key were 0.5999 tokens further away
    EXPECT_EQ(found.worst_pair, 0U);
    EXPECT_NEAR(found.tokens_off, 0.5999, 1e-9);
}

// The same formula with random q and k.
TEST(LogitError, IsTheRootMeanSquareOfRandomVectors) {
    const Spec spec = spec_of(8, 100);
    const double scale = 1.01;
    const std::uint64_t distance = 99;
    const std::vector<double> wrong = inv_freq_of(spec, scale), right = inv_freq_of(spec, 1);
    Seeded random(1);
    double sum = 0;
    constexpr int rounds = 200'000;
    for (int round = 0; round < rounds; ++round) {
        const std::vector<double> q = random.vector(8), k = random.vector(8);
        double off = 0;
        for (std::size_t i = 0; i < 4; ++i) {
            const double dot = q[i] * k[i] + q[i + 4] * k[i + 4];
            const double cross = q[i] * k[i + 4] - q[i + 4] * k[i];
            for (const auto& [theta, sign] : {std::pair{wrong[i], 1.0}, std::pair{right[i], -1.0}})
                off +=
                    sign * (dot * std::cos(distance * theta) + cross * std::sin(distance * theta));
        }
        sum += 9 * off * off;  // components of variance 1/3
    }
    const LogitErrors found = errors_of(spec, table_of(spec, wrong, distance + 1));
    EXPECT_NEAR(std::sqrt(sum / rounds), *found.at.back().rms, 0.01 * *found.at.back().rms);
}

// q·k of vectors with unit variance: Σ a⁴ over the rotating dimensions, 1 for each of the others.
TEST(LogitError, SpreadsByTheFactorOfEveryRotatingDimension) {
    Scaling yarn;
    yarn.rope_type = "yarn";
    yarn.factor = 4;
    yarn.original_max_position_embeddings = 512;
    yarn.attention_factor = 2;
    Spec spec = spec_of(24, 10000, yarn);
    spec.rotary_dim = 8;
    EXPECT_DOUBLE_EQ(errors_of(spec, table_of(spec, inv_freq_of(spec, 1), 100)).spread,
                     std::sqrt(8 * 16 + 16));
}

// An offset that q and k share changes no logit; rows without information are not wrong.
TEST(LogitError, OfPositionsThatAreAllOffByOneIsNone) {
    const Spec spec = spec_of(64, 10000);
    const LogitErrors found = errors_of(spec, table_of(spec, inv_freq_of(spec, 1), 300, 1));
    for (const LogitError& one : found.at) EXPECT_LT(*one.rms, 1e-9);
    EXPECT_FALSE(found.matters_from);
}

// One row is negated: Δ = −2e^{isθ} for that query, and for that key.
TEST(LogitError, OfOneWrongRowIsFoundWhereItIsSuspected) {
    const Spec spec = spec_of(64, 10000);
    OwnTable table = table_of(spec, inv_freq_of(spec, 1), 200);
    for (std::size_t k = 100 * spec.pairs(); k < 101 * spec.pairs(); ++k) {
        table.cos[k] = -table.cos[k];
        table.sin[k] = -table.sin[k];
    }
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const auto rows = table_rows(spec, table);
    const Comparison comparison = make_comparison(spec, plan, *rows, 1);
    const LogitErrors unknown = *logit_errors(comparison), known = *logit_errors(comparison, {100});
    EXPECT_LT(*unknown.at.front().rms, 1e-6);
    EXPECT_NEAR(*known.at.front().rms, std::sqrt(8.0 * spec.pairs()), 1e-6);
    EXPECT_EQ(known.matters_from, 1U);
}

TEST(LogitError, HasNoDistancesThatADumpLacks) {
    const Spec spec = spec_of(64, 10000);
    OwnTable table = table_of(spec, inv_freq_of(spec, 1), 3);
    table.positions = {0, 4, 8};
    const LogitErrors found = errors_of(spec, table);
    ASSERT_EQ(found.at.size(), 2U);
    EXPECT_FALSE(found.at.front().rms);
    EXPECT_TRUE(found.at.back().rms);
}

}  // namespace logit_error_test
}  // namespace rope
