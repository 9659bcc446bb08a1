// The parts of a diagnosis, each tested separately.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "rope/changes/dump_view.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/changes/positions.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/evidence/phase_lines.hpp"
#include "rope/evidence/rows.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope::diagnose_parts_test {

constexpr double pi = std::numbers::pi;

// 0 … 40 and beyond every power of 2 up to 2^16
std::vector<double> some_positions() {
    std::vector<double> m;
    for (int k = 0; k <= 40; ++k) m.push_back(k);
    for (int k = 64; k <= 65536; k *= 2) m.insert(m.end(), {k - 1.0, k + 1.0});
    return m;
}

// d = 64
double theta(std::uint32_t i, double base = 10000) { return std::pow(base, -2.0 * i / 64); }

Hypothesis truth() {
    const Frequencies plan = frequencies_of(spec_of(64, 10000));
    return {plan.theta, plan.angle_k, std::vector<std::uint32_t>(32), 1};
}

Samples samples_of(const OwnTable& table) {
    return sample_table(table, diagnostic_rows(table.positions, true, {}));
}

template <class Map>
Samples standing_at(const Map& map) {
    return samples_of(
        table_of_angles(some_positions(), 32, Format::float32,
                        [&](double m, std::uint32_t i) { return map(m) * theta(i); }));
}

std::vector<PositionRule> rules_at(const Samples& samples) {
    const auto places = places_of(samples, truth());
    return places ? rope::rules_of(*places, 1) : std::vector<PositionRule>{};
}

template <class Map>
std::vector<PositionRule> rules_of(const Map& map) {
    return rules_at(standing_at(map));
}

double number(const PositionRule& rule, std::size_t k = 0) {
    return std::get<double>(rule.parameters.at(k).second);
}

// ---- chord --------------------------------------------------------------------------------------

TEST(Chord, IsTwiceTheSineOfHalfTheAngle) {
    Seeded random(1);
    for (int k = 0; k < 10000; ++k) {
        const double angle = random.within(-3 * pi, 3 * pi);
        EXPECT_NEAR(chord(angle), 2 * std::abs(std::sin(angle / 2)), 1.3e-7) << angle;
    }
}

TEST(Chord, KeepsTheDigitsOfSmallAngles) {
    for (const double angle : {1e-3, 1e-6, 1e-12, 1e-100})
        EXPECT_NEAR(chord(angle) / angle, 1, 1e-6) << angle;
    EXPECT_EQ(chord(0), 0);
}

// ---- diagnostic_rows ----------------------------------------------------------------------------

TEST(DiagnosticRows, AreAllOfAFewInOrderOfPosition) {
    const std::vector<std::size_t> rows = diagnostic_rows({30, 10, 20}, true, {});
    EXPECT_EQ(rows, (std::vector<std::size_t>{1, 2, 0}));
}

TEST(DiagnosticRows, IncludeTheFirstTheLastAndTheRequestedOnes) {
    Seeded random(2);
    for (int round = 0; round < 20; ++round) {
        std::vector<double> positions(2000 + random.below(20000));
        std::iota(positions.begin(), positions.end(), 0.0);
        const std::uint64_t wrong = random.below(positions.size());
        const std::vector<std::size_t> rows =
            diagnostic_rows(positions, true, {{static_cast<double>(wrong)}});
        EXPECT_LE(rows.size(), most_samples);
        EXPECT_TRUE(std::ranges::is_sorted(rows));
        for (const std::size_t row : {std::size_t{0}, positions.size() - 1, std::size_t{wrong}})
            EXPECT_TRUE(std::ranges::binary_search(rows, row)) << row;
    }
}

TEST(DiagnosticRows, TakeEachPositionOnceWhereManyHeadsShareIt) {
    std::vector<double> positions;
    for (int k = 0; k < 4000; ++k) positions.push_back(std::floor(k / 40.0));
    std::set<double> seen;
    for (const std::size_t row : diagnostic_rows(positions, true, {}))
        EXPECT_TRUE(seen.insert(positions[row]).second) << row;
    EXPECT_EQ(seen.size(), 100U);
}

// ---- few_digits and fit_power_law ---------------------------------------------------------------

TEST(FewDigits, AreTheNearestShortNumber) {
    EXPECT_EQ(few_digits(9999.9999, 1e-7), 10000);
    EXPECT_EQ(few_digits(500000.02, 1e-7), 500000);
    EXPECT_EQ(few_digits(41234.4999, 1e-7), 41234.5);
    EXPECT_EQ(few_digits(1.1386294, 1e-9), 1.1386294);
    EXPECT_EQ(few_digits(1.1386294, 1e-2), 1.14);
    EXPECT_EQ(few_digits(-0.25000001, 1e-6), -0.25);
    EXPECT_EQ(few_digits(0, 1e-6), 0);
    EXPECT_EQ(few_digits(INFINITY, 1e-6), INFINITY);
}

TEST(FewDigits, NeverLeaveTheTolerance) {
    Seeded random(3);
    for (int k = 0; k < 10000; ++k) {
        const double x = std::exp(random.within(-40, 40));
        const double tolerance = std::exp(random.within(-25, -1));
        EXPECT_LE(std::abs(few_digits(x, tolerance) / x - 1), tolerance * (1 + 1e-12)) << x;
    }
}

TEST(PowerLawFit, FindsBaseAndScaleOfExactLines) {
    Seeded random(4);
    for (int round = 0; round < 100; ++round) {
        const double base = std::exp(random.within(1, 18)), scale = std::exp(random.within(-3, 3));
        std::vector<PhaseLine> lines(32);
        for (std::uint32_t i = 0; i < 32; ++i) {
            lines[i].theta = scale * theta(i, base);
            lines[i].error = 1e-9 * lines[i].theta * random.within(0.5, 2);
        }
        const PowerLaw law = fit_power_law(lines, lines.size(), true);
        EXPECT_NEAR(law.base / base, 1, 1e-12);
        EXPECT_NEAR(law.scale / scale, 1, 1e-12);
    }
}

// ---- fit_phase_lines ----------------------------------------------------------------------------

TEST(FittedLines, FindEachPairsFrequencyAndOffset) {
    for (const double offset : {0.0, 1.0, -1.0})
        for (const double base : {10000.0, 500000.0}) {
            const Samples samples = samples_of(table_of_angles(
                some_positions(), 32, Format::float32,
                [&](double m, std::uint32_t i) { return (m + offset) * theta(i, base); }));
            const std::vector<PhaseLine> lines = fit_phase_lines(samples);
            ASSERT_EQ(lines.size(), 32U);
            for (std::uint32_t i = 0; i < 32; ++i) {
                EXPECT_EQ(lines[i].rows, samples.rows()) << i;
                EXPECT_NEAR(lines[i].theta, theta(i, base), 1e-9) << i;
                EXPECT_NEAR(lines[i].offset, offset * theta(i, base), 1e-6) << i;
            }
        }
}

TEST(FittedLines, EndWhereTheRowsLeaveThem) {
    const Samples samples = standing_at([](double m) { return m < 500 ? m : 0; });
    const std::vector<PhaseLine> lines = fit_phase_lines(samples);
    ASSERT_EQ(lines.size(), 32U);
    std::size_t right = 0;
    while (samples.position(right, 0) < 500) ++right;
    EXPECT_EQ(lines.front().rows, right);
}

TEST(FittedLines, AreNoneOfASingleRow) {
    const Samples samples = samples_of(table_of_angles(
        {5}, 4, Format::float32, [](double m, std::uint32_t i) { return m * theta(i); }));
    EXPECT_TRUE(fit_phase_lines(samples).empty());
}

// ---- frequencies and applications ---------------------------------------------------------------

TEST(WrittenScale, IsOfFewDigitsOrAPartOfOneOrOfTheUnit) {
    const auto written = [](double x, double unit = 1) { return written_scale(x, 1e-9, unit); };
    const auto scale = [&](double x, double unit = 1) {
        return written(x, unit).value_or(WrittenScale{}).scale;
    };
    for (const double x : {0.25, 0.1234, 1234.0, 1 / 7.0, 1 / 12345.0, 1 / 987654.0, 1.00002})
        EXPECT_DOUBLE_EQ(scale(x), x);
    for (const double x : {0.12345, 123456.7, 1 / 12345.5, 1 / 1234567.0, 7 / 12345.0})
        EXPECT_FALSE(written(x)) << x;
    EXPECT_DOUBLE_EQ(scale(7 / 12345.0, 7), 7 / 12345.0);
}

TEST(WrittenScale, OfMoreThanTwoDigitsIsAsCostlyAsTwoMistakes) {
    for (const double x : {2.0, 0.25, 1 / 7.0, 1 / 12.0, 1.00002})
        EXPECT_EQ(written_scale(x, 1e-9, 1)->cost(), 1) << x;
    for (const double x : {0.123, 0.6929, 1 / 3.418})
        EXPECT_EQ(written_scale(x, 1e-9, 1)->cost(), 2) << x;
}

// ---- fit_position and position_rules ------------------------------------------------------------

TEST(FittedPosition, IsTheOneThatTheRowWasMadeFor) {
    Seeded random(5);
    for (int round = 0; round < 50; ++round) {
        const double moved = std::floor(random.within(-1000, 65536));
        const Samples samples = standing_at([&](double m) { return m == 0 ? moved : m; });
        const auto own = fit_position(samples, truth(), 0);
        ASSERT_TRUE(own.has_value()) << moved;
        EXPECT_NEAR(*own, moved, 1e-3 + 1e-5 * std::abs(moved));
    }
}

TEST(FittedPosition, IsFoundAsFarBelowZeroAsAbove) {
    for (const double position : {300000.0, -300000.0}) {
        const auto table = table_of_angles(
            {0, position}, 32, Format::float32,
            [](double m, std::uint32_t i) { return (m == 0 ? 0 : m - 1) * theta(i); });
        const auto own = fit_position(samples_of(table), truth(), 1);
        ASSERT_TRUE(own) << position;
        EXPECT_NEAR(*own, position - 1, 0.1) << position;
    }
}

TEST(FittedPosition, IsNoneWherePairsDisagreeAndNaNWhereTheRowIsNotFinite) {
    OwnTable table =
        table_of_angles({0, 1, 2, 3}, 32, Format::float32,
                        [](double m, std::uint32_t i) { return (m + i % 3) * theta(i); });
    table.cos[3 * 32] = std::nan("");
    const Samples samples = samples_of(table);
    EXPECT_FALSE(fit_position(samples, truth(), 1).has_value());
    EXPECT_TRUE(std::isnan(fit_position(samples, truth(), 3).value()));
}

TEST(PositionRules, NameTheUnsignedTypeOfNegativePositions) {
    std::vector<double> below, around;
    for (int m = 1; m <= 64; ++m) {
        below.push_back(-m);
        around.insert(around.end(), {1.0 - m, 1.0 * m});
    }
    const auto names = [](const std::vector<double>& positions, double size) {
        const auto samples = samples_of(table_of_angles(
            positions, 32, Format::float32,
            [&](double m, std::uint32_t i) { return (m < 0 ? m + size : m) * theta(i); }));
        std::vector<std::string> found;
        for (const PositionRule& rule : rules_at(samples))
            found.push_back(rule.mistake + " " +
                            (rule.mistake == "position-sign"
                                 ? std::get<std::string>(rule.parameters.at(0).second)
                                 : std::to_string(std::lround(number(rule)))));
        return found;
    };
    using Names = std::vector<std::string>;
    EXPECT_EQ(names(around, 256), Names{"position-sign uint8"});
    EXPECT_EQ(names(around, 65536), Names{"position-sign uint16"});
    EXPECT_EQ(names(around, 0x1p32), Names{"position-sign uint32"});
    EXPECT_EQ(names(below, 65536), (Names{"position-sign uint16", "position-offset 65536"}));
    EXPECT_EQ(names(around, 65535), Names{});
}

// any row may have another position
TEST(PositionRules, NameAWrapOfOneRowOnlyByAPowerOfTwo) {
    const auto periods = [](double stands) {
        std::vector<double> positions(41), found;
        std::iota(positions.begin(), positions.end(), 0);
        positions.push_back(1000);
        const auto samples = samples_of(table_of_angles(
            positions, 32, Format::float32,
            [&](double m, std::uint32_t i) { return (m == 1000 ? stands : m) * theta(i); }));
        for (const PositionRule& rule : rules_at(samples))
            if (rule.mistake == "position-wrap") found.push_back(number(rule));
        return found;
    };
    EXPECT_EQ(periods(1000 - 512), std::vector<double>{512});
    EXPECT_EQ(periods(1000 - 999), std::vector<double>{});
}

TEST(PositionRules, DoNotReadASingleJumpAsAWrap) {
    for (const PositionRule& rule :
         rules_of([](double m) { return m < 1100 ? m + 7 : m + 7 - 1021; }))
        EXPECT_NE(rule.mistake, "position-wrap") << rule.what;
}

TEST(PositionRules, AreNotFoundForRightOrRandomRows) {
    EXPECT_TRUE(rules_of([](double m) { return m; }).empty());
    Seeded random(6);
    EXPECT_TRUE(rules_of([&](double) { return std::floor(random.within(0, 65536)); }).empty());
}

// ---- keeps_norms --------------------------------------------------------------------------------

TEST(KeepsNorms, OfAnyOneAmplitudeAndOfNoOther) {
    const auto angle = [](double m, std::uint32_t i) { return m * theta(i); };
    for (const double amplitude : {1.0, 1.139, 0.5, 40.0})
        EXPECT_TRUE(keeps_norms(
            samples_of(table_of_angles({0, 1, 2, 9}, 32, Format::float32, angle, amplitude))));
    OwnTable table = table_of_angles({0, 1, 2, 9}, 32, Format::float32, angle);
    table.cos[40] *= 1.001;
    EXPECT_FALSE(keeps_norms(samples_of(table)));
    std::ranges::fill(table.cos, 0);
    std::ranges::fill(table.sin, 0);
    EXPECT_FALSE(keeps_norms(samples_of(table)));
}

// ---- misfit -------------------------------------------------------------------------------------

TEST(Misfit, OfNaNIsInfinite) {
    OwnTable table = table_of_angles({0, 1, 2, 3}, 32, Format::float32,
                                     [](double m, std::uint32_t i) { return m * theta(i); });
    EXPECT_LE(misfit(samples_of(table), truth(), HUGE_VAL), 1);
    table.sin[7] = std::nan("");
    EXPECT_EQ(misfit(samples_of(table), truth(), HUGE_VAL), HUGE_VAL);
}

TEST(Advice, ForIdsOfImagesDiffersFromThatForRowNumbers) {
    const auto is_of_images = [](const OtherSource& source) {
        const std::string advice = explanation_of(source_mistake(source), 2, 0).advice;
        return advice.find("images") != advice.npos;
    };
    for (const char* name : {"row number", "sequence 0", "row of the batch", "reversed"})
        EXPECT_FALSE(is_of_images(*source_named(name))) << name;
    for (const OtherSource& one : position_sources()) {
        const bool needs_images = (one.needs & (has::videos | has::grids)) != 0;
        EXPECT_TRUE(!needs_images || is_of_images(one)) << one.name;
    }
    EXPECT_TRUE(is_of_images(*source_named("image alone")));
}

}  // namespace rope::diagnose_parts_test
