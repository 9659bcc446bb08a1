// The bound over all pairs of positions, and the pair of positions in the report.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "rope/checks/check.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/session/judge.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace relative_position_test {

class CountedReader final : public RowReader {
  public:
    CountedReader(std::unique_ptr<RowReader> reader, std::uint64_t& read)
        : reader_(std::move(reader)), read_(read) {}
    void fill(std::span<const std::uint64_t> rows, double* cos, double* sin) override {
        read_ += rows.size();
        reader_->fill(rows, cos, sin);
    }

  private:
    std::unique_ptr<RowReader> reader_;
    std::uint64_t& read_;
};

class CountedRows final : public RowSource {
  public:
    explicit CountedRows(std::unique_ptr<RowSource> rows) : rows_(std::move(rows)) {}
    std::unique_ptr<RowReader> read(PairRange pairs) const override {
        return std::make_unique<CountedReader>(rows_->read(pairs), read_);
    }
    std::uint64_t rows() const override { return rows_->rows(); }
    std::span<const double> positions(std::uint32_t axis) const override {
        return rows_->positions(axis);
    }
    const Exactness& exactness() const override { return rows_->exactness(); }
    Subject subject() const override { return rows_->subject(); }

    mutable std::uint64_t read_ = 0;

  private:
    std::unique_ptr<RowSource> rows_;
};

constexpr std::uint64_t rows = 8192;

struct Observed {
    std::uint64_t searched = 0;  // rows read for the report
    Finding finding = {};
};

// The angles `angle(m, θ)` for a head of 32 dimensions in float32.
template <class Angle>
Observed observed(Angle angle) {
    const Spec spec = spec_of(32, 10000);
    const OwnTable table = table_of_angles(
        counted(rows), spec.pairs(), Format::float32,
        [&](double m, std::uint32_t i) { return angle(m, std::pow(10000, -2.0 * i / 32)); });
    const CountedRows subject(table_rows(spec, table));
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const Comparison comparison = make_comparison(spec, plan, subject, 1);
    const PairRange pairs{0, spec.pairs()};
    const auto check = make_relative_position(comparison, pairs);
    Sweep(comparison, pairs).run({0, rows}, [&](const Tile& tile) { check->observe(tile); });
    Observed found;
    subject.read_ = 0;
    check->report_to(found.finding);
    found.searched = subject.read_;
    return found;
}

TEST(RelativePosition, PassesForRowsWithASharedTurnAndReadsOnePairAgain) {
    const Observed found = observed([](double m, double theta) { return (m + 1000) * theta; });
    EXPECT_EQ(found.finding.verdict, Verdict::holds);
    EXPECT_LE(found.searched, 3 * (rows + 1));
}

TEST(RelativePosition, IsViolatedByOneRowThatRotatesOtherwise) {
    const double astray = 6000;
    for (const double turn : {0.0, 1000.0}) {
        const Observed found = observed([&](double m, double theta) {
            return (m + turn) * theta + (m == astray && theta == 1 ? 0.5 : 0);
        });
        EXPECT_EQ(found.finding.verdict, Verdict::violated);
        ASSERT_TRUE(found.finding.worst);
        EXPECT_EQ(found.finding.worst->positions.back(), astray);
        EXPECT_NEAR(found.finding.observed, 2 * std::sin(0.25), 1e-6);
    }
}

// The first row's angles have nothing in common with the others, so that it gives no bound on them.
TEST(RelativePosition, OfAWrongFirstRowIsTheErrorOfOtherRowsWithIt) {
    const Observed found = observed(
        [](double m, double theta) { return m * theta + (m == 0 && theta == 1 ? 0.5 : 0); });
    EXPECT_EQ(found.finding.verdict, Verdict::violated);
    EXPECT_NEAR(found.finding.observed, 2 * std::sin(0.25), 1e-6);
    ASSERT_TRUE(found.finding.worst);
    EXPECT_EQ(found.finding.worst->positions.front(), 0);
}

// Vectors that are zero in a pair, in the first rows or in others, do not determine its rotation.
TEST(RelativePosition, OfVectorsThatAreZeroIsThatOfTheOthers) {
    const Spec spec = interleaved(spec_of(4, 10000));
    std::vector<double> positions, before, after;
    for (int m = 0; m < 100; ++m) {
        positions.push_back(m);
        for (int i = 0; i < 2; ++i) {
            const double x = i == 0 && (m < 40 || m % 3 == 0) ? 0 : 1, phi = m + 1000;
            before.insert(before.end(), {x, 0});
            after.insert(after.end(),
                         {round_to(Format::float32, x * std::cos(phi / (99 * i + 1))),
                          round_to(Format::float32, x * std::sin(phi / (99 * i + 1)))});
        }
    }
    const auto dumped =
        rotated_rows(spec, {positions, {before, 4}, {after, 4}, Format::float32, "", {}});
    const Report report = judge(spec, *dumped, {1, {"relative-position"}});
    EXPECT_EQ(report.findings.at(0).verdict, Verdict::holds) << report.findings.at(0).observed;
}

}  // namespace relative_position_test
}  // namespace rope
