// Rows of a dump, a few pairs at a time, and the blocks in which they are checked.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "rope/checks/comparison.hpp"
#include "rope/checks/report.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/rows/dump.hpp"
#include "rope/session/judge.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope::dump_cells_test {

constexpr std::uint64_t rows = 3;

TEST(DumpCells, WorksOutEveryPairAsDefined) {
    Seeded random(11);
    for (const PairLayout layout :
         {PairLayout::half_split, PairLayout::interleaved, PairLayout::interleaved_to_half_split})
        for (const auto& [head_dim, rotary_dim] :
             {std::pair{2U, 2U}, {8U, 6U}, {64U, 64U}, {128U, 38U}, {300U, 290U}}) {
            const Spec spec = partial(head_dim, rotary_dim, layout);
            const std::vector<double> x = random.vector(rows * head_dim);
            const std::vector<double> y = random.vector(rows * head_dim);
            const RotatedCells cells(spec, {x, head_dim}, {y, head_dim}, 0x1p-125);
            for (std::uint32_t first = 0; first < spec.pairs(); first += 1 + spec.pairs() / 3) {
                const PairRange pairs{first, spec.pairs() - first};
                std::vector<double> cos(pairs.count), sin(pairs.count);
                cells.read(2, pairs, cos.data(), sin.data());
                for (std::uint32_t j = 0; j < pairs.count; ++j) {
                    const Dimensions from = dimensions_of_pair(spec, first + j);
                    const Dimensions to = written_dimensions_of_pair(spec, first + j);
                    const double* u = x.data() + 2 * head_dim;
                    const double* v = y.data() + 2 * head_dim;
                    const double x1 = u[from.first], x2 = u[from.second];
                    const double y1 = v[to.first], y2 = v[to.second];
                    const double norm = x1 * x1 + x2 * x2;
                    ASSERT_EQ(cos[j], (y1 * x1 + y2 * x2) / norm) << first + j;
                    ASSERT_EQ(sin[j], (y2 * x1 - y1 * x2) / norm) << first + j;
                }
            }
        }
}

TEST(DumpCells, HaveNoValueWhereVectorsAreZeroBeforeAndAfter) {
    const Spec spec = spec_of(6, 10000);
    const std::vector<double> x{1, 0, 0, 2, 0, 0};  // pairs (1, 2), (0, 0), (0, 0)
    const std::vector<double> y{2, 0, 3, 1, 0, 0};
    const RotatedCells cells(spec, {x, 6}, {y, 6}, 0x1p-125);
    std::vector<double> cos(3), sin(3);
    cells.read(0, {0, 3}, cos.data(), sin.data());
    EXPECT_EQ(cos[0], 0.8);
    EXPECT_TRUE(std::isnan(cos[1]) && std::isnan(sin[1]));
    EXPECT_FALSE(std::isfinite(cos[2]));  // a value from nothing is an error, not a gap
    EXPECT_TRUE(cells.is_left_out(0, 1));
    EXPECT_FALSE(cells.is_left_out(0, 2));
}

// Rows with a float32 power, for heads that share their positions.
OwnTable table_of(const Spec& spec, std::uint64_t positions, std::uint64_t heads) {
    std::vector<double> every_head(positions * heads);
    for (std::uint64_t row = 0; row < every_head.size(); ++row)
        every_head[row] = static_cast<double>(row % positions);
    return table_of_angles(
        every_head, spec.pairs(), Format::float32, [&](double m, std::uint32_t i) {
            const auto power =
                static_cast<float>(std::pow(spec.rope_theta, -2.0 * i / spec.rotary_dim));
            return static_cast<double>(static_cast<float>(m) * power);
        });
}

TEST(Blocks, AreEveryRowOnce) {
    const Spec spec = spec_of(4, 10000);
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    for (const auto& [positions, heads] : {std::pair<std::uint64_t, std::uint64_t>{1, 40000},
                                           {1500, 30},
                                           {1023, 17},
                                           {32768, 1},
                                           {32769, 1},
                                           {50000, 1}}) {
        const auto subject = table_rows(spec, table_of(spec, positions, heads));
        const Comparison comparison = make_comparison(spec, plan, *subject, 1);
        const std::vector<Block> blocks = blocks_of(comparison);
        std::uint64_t next = 0;
        for (std::uint64_t k = 0; k < blocks.size(); ++k) {
            const auto [begin, end] = blocks[k].rows;
            EXPECT_EQ(begin, next);
            EXPECT_EQ(begin % tile_rows, 0U);
            EXPECT_LT(begin, end);
            next = end;
        }
        EXPECT_EQ(next, subject->rows());
        EXPECT_EQ(blocks.size() > 1, subject->rows() > 16384);
    }
}

TEST(Blocks, OfADumpHaveTheSameResultsWithAnyThreads) {
    const Spec spec = spec_of(4, 10000);
    OwnTable table = table_of(spec, 3000, 16);
    table.sin[2 * 3000 * 7 + 2 * 2900] += 1e-4F;  // head 7, position 2900, pair 0
    const auto subject = table_rows(spec, table);
    JudgeOptions options;
    options.claims = false;
    options.threads = 1;
    const Report one = judge(spec, *subject, options);
    const Finding& found = *find_finding(one, "table-accuracy");
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.worst->positions, std::vector<double>{2900});
    for (const unsigned threads : {2U, 5U}) {
        options.threads = threads;
        const Report other = judge(spec, *table_rows(spec, table, nullptr, threads), options);
        for (std::size_t k = 0; k < one.findings.size(); ++k) {
            EXPECT_EQ(other.findings[k].verdict, one.findings[k].verdict);
            EXPECT_EQ(std::bit_cast<std::uint64_t>(other.findings[k].observed),
                      std::bit_cast<std::uint64_t>(one.findings[k].observed));
        }
    }
}

// Values beyond their tolerance are all counted, and the worst one is found at any place.

constexpr std::uint64_t planted_rows = 4096;

struct Planted {
    Spec spec = spec_of(32, 10000);
    OwnTable table = table_of_angles(
        counted(planted_rows), 16, Format::float32,
        [](double m, std::uint32_t i) { return m * std::pow(10000, -2.0 * i / 32); });
    std::uint64_t count = 0;

    Planted() {
        Seeded random(1);
        for (std::uint64_t m = 100; m < planted_rows; ++m)
            for (std::uint32_t i = 0; i < table.pairs; ++i)
                if (random.below(m < 3000 ? 50 : 2) == 0) put(m, i, 0.5);
    }

    void put(std::uint64_t m, std::uint32_t i, double error) {
        double& value = table.cos[m * table.pairs + i];
        value += error;
        ++count;
    }

    Finding judged() const {
        const Report report = judge(spec, *table_rows(spec, table), {.only = {"table-accuracy"}});
        return report.findings.at(0);
    }
};

TEST(TableViolations, AreAllCounted) {
    const Planted planted;
    const Finding finding = planted.judged();
    ASSERT_TRUE(finding.violations);
    EXPECT_EQ(finding.violations->count, planted.count);
    EXPECT_GE(finding.violations->first_position, 100);
    EXPECT_NEAR(finding.observed, 0.5, 1e-6);
}

TEST(TableViolations, TheWorstIsFoundAfterManyOthers) {
    for (const double bad : {7.0, std::nan(""), static_cast<double>(HUGE_VAL)})
        for (const bool in_sin : {false, true}) {
            Planted planted;
            auto& values = in_sin ? planted.table.sin : planted.table.cos;
            values[3500 * planted.table.pairs + 3] = bad;
            const Finding finding = planted.judged();
            EXPECT_EQ(std::isfinite(finding.observed), std::isfinite(bad));
            ASSERT_TRUE(finding.worst);
            EXPECT_EQ(finding.worst->positions.at(0), 3500);
            EXPECT_EQ(finding.worst->pair, 3u);
            EXPECT_TRUE(finding.worst->got == bad || std::isnan(bad));
        }
}

}  // namespace rope::dump_cells_test
