#include "rope/diagnose/dump_evidence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "rope/session/session.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope::dump_evidence_test {

constexpr std::uint32_t d = 32;

double theta(double base, std::uint32_t pair) { return std::pow(base, -2.0 * pair / d); }

OwnTable table_of(double base, double direction = 1) {
    return table_of_angles(counted(300), d / 2, Format::float32, [&](double m, std::uint32_t i) {
        return direction * m * theta(base, i);
    });
}

// Four heads of 100 rows; `place` gives each row's true position.
template <class Place>
RotatedDump heads_of(const Place& place) {
    constexpr std::uint64_t heads = 4, length = 100;
    const auto turned = [&](double k, std::uint32_t i) {
        const auto row = static_cast<std::uint64_t>(k);
        return place(row / length, row % length) * theta(1e4, i);
    };
    OwnTable table = table_of_angles(counted(heads * length), d / 2, Format::float64, turned);
    for (double& position : table.positions) position = std::fmod(position, length);
    RotatedDump dump = vectors_of(table, Format::float32, spec_of(d, 1e4), Seeded(7));
    dump.grid = {.batch = {}, .head = {heads, length}, .sequence = {length, 1}};
    return dump;
}

struct Judged {
    Report report;
    DumpEvidence evidence;
};
Judged judged(const Dump& dump) {
    Judged one;
    SessionOptions options;
    options.claims = false;
    options.evidence = &one.evidence;
    one.report = compare(spec_of(d, 1e4), dump, {}, options);
    return one;
}

TEST(DumpEvidence, OfARightTableHasNoErrors) {
    const auto [report, evidence] = judged(TableDump(table_of(1e4)));
    EXPECT_EQ(exit_code(report, {}), 0);
    EXPECT_EQ(evidence.rows.rows, 300U);
    EXPECT_EQ(evidence.rows.off, 0U);
    EXPECT_FALSE(evidence.rows.first_off);
    ASSERT_EQ(evidence.pairs.size(), d / 2);
    for (std::uint32_t i = 0; i < d / 2; ++i) {
        const PairEvidence& pair = evidence.pairs[i];
        EXPECT_NEAR(pair.asked, theta(1e4, i), 1e-12);
        EXPECT_LE(pair.error, 1);
        EXPECT_TRUE(pair.is_constant);
        ASSERT_TRUE(pair.fitted);
        EXPECT_NEAR(*pair.fitted, pair.asked, 4 * pair.fitted_error) << i;
    }
}

TEST(DumpEvidence, FitsTheFrequenciesThatTheTableHas) {
    const auto [report, evidence] = judged(TableDump(table_of(5e5)));
    EXPECT_EQ(report.diagnosis.at(0).mistake, "base");
    EXPECT_EQ(evidence.rows.off, 299U);
    ASSERT_TRUE(evidence.rows.first_off);
    EXPECT_EQ(evidence.rows.first_off->position, 1);
    for (std::uint32_t i = 1; i < d / 2; ++i) {
        const PairEvidence& pair = evidence.pairs[i];
        EXPECT_NEAR(pair.fitted.value_or(0), theta(5e5, i), 4 * pair.fitted_error) << i;
        EXPECT_GT(pair.error, 1);
        EXPECT_LE(pair.residue.value_or(2), 1);
        EXPECT_TRUE(pair.is_constant);
    }
}

TEST(DumpEvidence, FitsATurnBackwards) {
    const DumpEvidence evidence = judged(TableDump(table_of(1e4, -1))).evidence;
    for (std::uint32_t i = 0; i < d / 2; ++i)
        EXPECT_NEAR(evidence.pairs[i].fitted.value_or(0), -theta(1e4, i), 1e-6);
}

// The sign bits of zeros were read as angles.
TEST(DumpEvidence, FitsNothingToZeros) {
    OwnTable table = table_of(1e4);
    for (double& value : table.cos) value = 0;
    table.sin = table.cos;
    for (const PairEvidence& pair : judged(TableDump(table)).evidence.pairs)
        EXPECT_FALSE(pair.fitted || pair.residue);
}

// Positions in steps of 37 determine a frequency up to 2π/37: pair 15 was reported at −1 × and
// less.
TEST(DumpEvidence, FitsTheAliasNearestToTheConfig) {
    std::vector<double> positions = counted(64);
    for (double& m : positions) m *= 37;
    const OwnTable table =
        table_of_angles(positions, d / 2, Format::float32,
                        [](double m, std::uint32_t i) { return m * theta(5e5, i); });
    const DumpEvidence evidence = judged(TableDump(table)).evidence;
    for (std::uint32_t i = 8; i < d / 2; ++i) {
        const PairEvidence& pair = evidence.pairs[i];
        EXPECT_NEAR(pair.fitted.value_or(0), theta(5e5, i), 4 * pair.fitted_error) << i;
    }
}

// The line had been fitted to the first two rows.
TEST(DumpEvidence, FitsTheLineWithTheMostRows) {
    const OwnTable table =
        table_of_angles(counted(300), d / 2, Format::float32, [](double m, std::uint32_t i) {
            return (std::fmod(m, 2) == 1 && m < 297 ? m + 3 : m) * theta(1e4, i);
        });
    const DumpEvidence evidence = judged(TableDump(table)).evidence;
    for (std::uint32_t i = 4; i < d / 2; ++i) {
        const PairEvidence& pair = evidence.pairs[i];
        EXPECT_FALSE(pair.is_constant) << i;
        EXPECT_GT(pair.fitted_error, 0) << "is fitted, not the asked one";
        EXPECT_NEAR(pair.fitted.value_or(0), theta(1e4, i), 8 * pair.fitted_error) << i;
        EXPECT_LT(pair.fitted_error, 1e-6 * theta(1e4, i)) << i;
    }
}

// 11 rows that are not finite were reported as far from every line.
TEST(DumpEvidence, FitsTheFiniteRows) {
    OwnTable table = table_of(1e4);
    for (std::size_t m = 50; m < 61; ++m)
        for (std::uint32_t i = 0; i < d / 2; ++i) table.cos[m * d / 2 + i] = std::nanf("");
    const DumpEvidence evidence = judged(TableDump(table)).evidence;
    EXPECT_EQ(evidence.rows.off, 11U);
    for (const PairEvidence& pair : evidence.pairs) {
        EXPECT_TRUE(pair.is_constant);
        EXPECT_FALSE(std::isfinite(pair.error));
        EXPECT_LE(pair.residue.value_or(2), 1);
    }
}

// A changed dimension outside the pairs was drawn as a value that is not finite.
TEST(DumpEvidence, MeasuresDimensionsThatDoNotRotate) {
    const Spec spec = partial(d, 16);
    const OwnTable table = table_of_spec(spec, counted(64), Format::float64, std::multiplies());
    OwnVectors vectors = vectors_of(table, Format::float32, spec, Seeded(7));
    vectors.after[40 * d + 20] += 0.25;
    vectors.after[50 * d + 20] = HUGE_VAL;
    const RowEvidence rows = evidence_of(spec, RotatedDump(vectors), {}).rows;
    EXPECT_EQ(rows.off, 2U);
    EXPECT_NEAR(rows.worst[rows.positions.column_of(40)], 0.25 * 0x1p25, 16);
    EXPECT_EQ(rows.worst[rows.positions.column_of(50)], HUGE_VALF);
}

// Row 0, at (0, 0, 0), is right, but was grouped with others at position 0 of axis 0.
TEST(DumpEvidence, NumbersTheRowsOfSeveralAxes) {
    const Spec spec = on_axes(spec_of(d, 1e4), {AxisScheme::sectioned, {4, 6, 6}});
    OwnTable table = table_of(1e4);
    const std::vector<double> other = table.positions;
    std::ranges::fill(table.positions, 0);
    TableDump dump = table;
    dump.more_positions = {other, other};
    const RowEvidence rows = evidence_of(spec, dump, {}).rows;
    EXPECT_EQ(rows.place, "row");
    EXPECT_EQ(rows.positions.last, 300);
    EXPECT_EQ(rows.first_off.value_or(RowPlace{}).position, 1);
}

TEST(DumpEvidence, OfFrequenciesIsTheirs) {
    FrequencyDump dump;
    for (std::uint32_t i = 0; i < d / 2; ++i)
        dump.inv_freq.push_back(static_cast<float>(theta(1e4, i)));
    dump.inv_freq[3] *= 2;
    const DumpEvidence evidence = judged(dump).evidence;
    ASSERT_EQ(evidence.pairs.size(), d / 2);
    EXPECT_EQ(evidence.pairs[3].fitted, dump.inv_freq[3]);
    EXPECT_GT(evidence.pairs[3].error, 1);
    EXPECT_LE(evidence.pairs[4].error, 1);
    EXPECT_EQ(evidence.rows.columns(), 0U);
}

TEST(DumpEvidence, NamesTheHeadThatIsOff) {
    const auto shifted = [](std::uint64_t head, std::uint64_t m) {
        return static_cast<double>(head == 2 ? m + 1 : m);
    };
    const DumpEvidence evidence = judged(heads_of(shifted)).evidence;
    EXPECT_EQ(evidence.part, "head 2 of 4");
    EXPECT_EQ(evidence.rows.kind, "head");
    EXPECT_EQ(evidence.rows.off, 100U);
    EXPECT_EQ(evidence.rows.worst_row->line, 2U);
    EXPECT_EQ(evidence.rows.worst_row->group, "head 2 of 4");
    for (std::size_t line = 0; line < 4; ++line)
        for (std::size_t column = 0; column < evidence.rows.columns(); ++column)
            EXPECT_EQ(evidence.rows.worst[line * evidence.rows.columns() + column] > 1, line == 2);
    // an offset changes no frequency
    for (std::uint32_t i = 0; i < d / 2; ++i) EXPECT_TRUE(evidence.pairs[i].is_constant) << i;
}

// The row was counted as off, but no pair showed its error.
TEST(DumpEvidence, FitsTheOtherRowsWhereOneIsOdd) {
    const auto odd = [](std::uint64_t head, std::uint64_t m) {
        return static_cast<double>(head == 1 && m == 77 ? 5 : m);
    };
    const DumpEvidence evidence = judged(heads_of(odd)).evidence;
    EXPECT_EQ(evidence.part, "");
    EXPECT_EQ(evidence.rows.off, 1U);
    EXPECT_EQ(evidence.rows.first_off->position, 77);
    EXPECT_EQ(evidence.rows.first_off->group, "head 1 of 4");
    double worst = 0;
    for (std::uint32_t i = 0; i < d / 2; ++i) {
        EXPECT_TRUE(evidence.pairs[i].is_constant) << i;
        EXPECT_LE(evidence.pairs[i].residue.value_or(2), 1) << i;
        worst = std::max(worst, evidence.pairs[i].error);
    }
    EXPECT_EQ(worst, evidence.rows.worst_row->error);
}

TEST(DumpEvidence, IsTheSameForAnyNumberOfThreads) {
    const RotatedDump dump =
        heads_of([](std::uint64_t, std::uint64_t m) { return 0.5 * static_cast<double>(m); });
    const CheckFacts one{.threads = 1}, many{.threads = 7};
    const DumpEvidence a = evidence_of(spec_of(d, 1e4), dump, one);
    const DumpEvidence b = evidence_of(spec_of(d, 1e4), dump, many);
    EXPECT_EQ(a.rows.worst, b.rows.worst);
    EXPECT_EQ(a.rows.worst_row->position, b.rows.worst_row->position);
    EXPECT_EQ(a.rows.worst_row->group, b.rows.worst_row->group);
}

}  // namespace rope::dump_evidence_test
