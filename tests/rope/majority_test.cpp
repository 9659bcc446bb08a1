// The Spec that most of a dump agrees with, where none fits all of it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "rope/diagnose/identify.hpp"
#include "tests/rope/dumps.hpp"

namespace rope {
namespace majority_test {

constexpr std::uint32_t pairs = 32;
constexpr std::uint64_t rows = 96;

double theta_of(double base, std::uint32_t i) { return std::pow(base, -2.0 * i / (2 * pairs)); }

// The first `wrong` pairs from pair 1 on by rates of no law.
OwnTable table(double base, std::uint32_t wrong = 0, double moved = 0) {
    return table_of_angles(pairs, rows, Format::float32, [&](double m, std::uint32_t i) {
        const bool is_wrong = i > 0 && i <= wrong;
        return (m + moved) * theta_of(base, i) * (is_wrong ? 1.3 + 0.1 * std::sin(i * i) : 1);
    });
}

void fill(OwnTable& own, std::uint64_t row, double cos, double sin) {
    for (std::size_t k = row * pairs; k < (row + 1) * pairs; ++k) {
        own.cos[k] = cos;
        own.sin[k] = sin;
    }
}

void expect_counts(const std::optional<Majority>& found, double base, std::size_t of_pairs,
                   std::size_t of_rows) {
    ASSERT_TRUE(found);
    EXPECT_EQ(found->spec.rope_theta, base);
    EXPECT_EQ(found->spec.rotary_dim, 2 * pairs);
    EXPECT_EQ(found->pairs, of_pairs);
    EXPECT_EQ(found->of_pairs, pairs - 1);
    EXPECT_EQ(found->rows, of_rows);
    EXPECT_EQ(found->of_rows, rows);
}

TEST(Majority, LeavesWrongPairsOut) {
    for (const double base : {1e4, 5e5, 320000.0})
        for (const std::uint32_t wrong : {0u, 1u, 3u, 15u})
            expect_counts(majority_of(table(base, wrong)), base, pairs - 1 - wrong, rows);
}

TEST(Majority, LeavesWrongRowsOut) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const auto& [cos, sin] :
         {std::pair{0.0, 0.0}, {nan, nan}, {1.0, 0.0}, {0.6, 0.8}, {0.5, 0.5}})
        for (const std::uint64_t row : {1u, 2u, 3u, 40u, 95u}) {
            OwnTable own = table(320000);
            fill(own, row, cos, sin);
            expect_counts(majority_of(own), 320000, pairs - 1, rows - 1);
        }
}

TEST(Majority, CountsNoEmptyRowsAgainstTheRest) {
    OwnTable own = table(5e5);
    for (std::uint64_t row = 30; row < rows; ++row) fill(own, row, 0, 0);
    expect_counts(majority_of(own), 5e5, pairs - 1, 30);
    for (std::uint64_t row = 30; row < rows; ++row) fill(own, row, 1, 0);
    EXPECT_FALSE(majority_of(own));
}

TEST(Majority, IsOfRatesWhereverTheRowsAre) {
    expect_counts(majority_of(table(5e5, 1, 3)), 5e5, pairs - 2, rows);
}

TEST(Majority, IsNoneOfFewPairs) {
    EXPECT_FALSE(majority_of(table(5e5, 17)));
    EXPECT_FALSE(majority_of(table(5e5, pairs)));
}

TEST(Majority, TakesKnownSpecs) {
    Spec known;
    known.head_dim = known.rotary_dim = 2 * pairs;
    known.rope_theta = 5e5;
    known.scaling.rope_type = "llama3";
    known.scaling.factor = 32;
    known.scaling.original_max_position_embeddings = 8192;
    known.scaling.low_freq_factor = 1;
    known.scaling.high_freq_factor = 4;
    known.max_position_embeddings = 131072;
    const FrequencyPlan plan = plan_frequencies(known, exact_precision);
    const OwnTable own =
        table_of_angles(pairs, rows, Format::float32, [&](double m, std::uint32_t i) {
            return m * plan.pairs[i].inv_freq.to_double() * (i == 4 ? 1.3 : 1);
        });
    const auto found = majority_of(own, {&known, 1});
    expect_counts(found, 5e5, pairs - 2, rows);
    EXPECT_EQ(found->spec.scaling, known.scaling);
    EXPECT_EQ(majority_of(own)->spec.scaling.factor, 32);
}

TEST(Majority, OfFrequenciesAloneHasNoRows) {
    FrequencyDump dump;
    for (std::uint32_t i = 0; i < pairs; ++i)
        dump.inv_freq.push_back(theta_of(5e5, i) * (i == 7 ? 1.5 : 1));
    const auto found = majority_of(dump);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->spec.rope_theta, 5e5);
    EXPECT_EQ(found->pairs, pairs - 2);
    EXPECT_EQ(found->of_rows, 0u);
}

TEST(Majority, IsNoneOfSeveralAxes) {
    TableDump dump = table(1e4);
    dump.more_positions = {dump.positions};
    EXPECT_FALSE(majority_of(dump));
}

}  // namespace majority_test
}  // namespace rope
