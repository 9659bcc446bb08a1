#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "rope/checks/report.hpp"
#include "rope/exact/random.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/session/judge.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"

namespace rope::drift_test {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Metric metric(MetricClass kind, FieldValue value, double atol = 0, double rtol = 0) {
    return {.name = "m", .kind = kind, .value = std::move(value), .atol = atol, .rtol = rtol};
}

Change change_of(const Metric& recorded, FieldValue now) {
    Metric other = recorded;
    other.value = std::move(now);
    return drift_of({recorded}, {other}).at(0).change;
}

std::vector<Metric> judged(const Spec& spec, const RowSource& rows) {
    Report report = judge(spec, rows, {});
    report.subject.digest = digest_of(rows, spec.pairs());
    return metrics_of(report);
}

std::vector<Metric> pipeline_metrics(const Spec& spec, std::string_view pipeline = "hf-fp32") {
    return judged(spec, *emulate(spec, find_pipeline(pipeline), 300));
}

// The table of a float32 implementation for positions 0 … 299.
OwnTable float32_table(const Spec& spec) {
    return table_of_pipeline(spec, find_pipeline("hf-fp32"), counted(300));
}

std::vector<std::string> drifted(const std::vector<Metric>& a, const std::vector<Metric>& b) {
    std::vector<std::string> names;
    for (const Drift& drift : failing(drift_of(a, b))) names.push_back(drift.recorded.name);
    return names;
}

TEST(Drift, ExactMetricsMayNotMove) {
    EXPECT_EQ(change_of(metric(MetricClass::exact, 1.5), 1.5), Change::same);
    EXPECT_EQ(change_of(metric(MetricClass::exact, 1.5), std::nextafter(1.5, 2)), Change::drifted);
    EXPECT_EQ(change_of(metric(MetricClass::exact, std::uint64_t{2}), 2.0), Change::same);
    EXPECT_EQ(change_of(metric(MetricClass::exact, std::uint64_t{2}), FieldValue()),
              Change::drifted);
    EXPECT_EQ(change_of(metric(MetricClass::exact, FieldValue()), FieldValue()), Change::same);
    EXPECT_EQ(change_of(metric(MetricClass::exact, std::string("pow")), std::string("exp")),
              Change::drifted);
}

TEST(Drift, BoundsMayOnlyGetBetter) {
    const Metric bound = metric(MetricClass::bound, 1.0, 0.25);
    EXPECT_EQ(change_of(bound, 1.25), Change::same);
    EXPECT_EQ(change_of(bound, std::nextafter(1.25, 2)), Change::drifted);
    EXPECT_EQ(change_of(bound, 0.95), Change::same);
    EXPECT_EQ(change_of(bound, 0.5), Change::better);
    EXPECT_EQ(change_of(bound, -1.0), Change::better);
    const Metric count = metric(MetricClass::bound, std::uint64_t{7});
    EXPECT_EQ(change_of(count, std::uint64_t{8}), Change::drifted);
    EXPECT_EQ(change_of(count, std::uint64_t{0}), Change::better);
}

TEST(Drift, BandsHoldBothWays) {
    const Metric band = metric(MetricClass::band, -4.0, 0.5, 0.125);
    EXPECT_EQ(change_of(band, -3.0), Change::same);
    EXPECT_EQ(change_of(band, -5.0), Change::same);
    EXPECT_EQ(change_of(band, -2.75), Change::drifted);
    EXPECT_EQ(change_of(band, -5.25), Change::drifted);
    EXPECT_EQ(change_of(band, std::string("none")), Change::drifted);
}

TEST(Drift, NaNNeverEqualsTheRecordedNumber) {
    for (const MetricClass kind : {MetricClass::exact, MetricClass::bound, MetricClass::band}) {
        EXPECT_EQ(change_of(metric(kind, nan, infinity), nan), Change::drifted);
        EXPECT_EQ(change_of(metric(kind, 1.0, 1), nan), Change::drifted);
    }
    EXPECT_EQ(change_of(metric(MetricClass::report, 1.0), nan), Change::same);
}

TEST(Drift, VerdictsMayOnlyGetBetter) {
    const auto verdict = [](const char* text) {
        return metric(MetricClass::bound, std::string(text));
    };
    EXPECT_EQ(change_of(verdict("holds"), std::string("violated")), Change::drifted);
    EXPECT_EQ(change_of(verdict("holds"), std::string("not_applicable")), Change::drifted);
    EXPECT_EQ(change_of(verdict("violated"), std::string("violated")), Change::same);
    EXPECT_EQ(change_of(verdict("violated"), std::string("holds")), Change::better);
    EXPECT_EQ(change_of(verdict("holds"), std::string("perhaps")), Change::drifted);
}

// `table` with every cos and sin changed by change(value, row).
template <class ChangeOf>
OwnTable changed(OwnTable table, ChangeOf change) {
    for (std::size_t k = 0; k < table.cos.size(); ++k) {
        table.cos[k] = change(table.cos[k], k / table.pairs);
        table.sin[k] = change(table.sin[k], k / table.pairs);
    }
    return table;
}

// Another libm or instruction set gives other roundings.
TEST(Drift, AllowsRoundingInAnImplementationsValues) {
    const Spec spec = spec_of(32, 1e4);
    const OwnTable table = float32_table(spec);
    const std::vector<Metric> recorded = judged(spec, *table_rows(spec, table));
    std::mt19937 random(1);
    for (int comparison = 0; comparison < 20; ++comparison) {
        const OwnTable other = changed(table, [&](double x, std::size_t) {
            const float to = random() % 2 == 0 ? 2.0F : -2.0F;
            return x == 0 || x == 1 ? x : double{std::nextafter(static_cast<float>(x), to)};
        });
        EXPECT_EQ(drifted(recorded, judged(spec, *table_rows(spec, other))),
                  std::vector<std::string>{});
    }
}

TEST(Drift, SeesAnImplementationThatGotWrong) {
    const Spec spec = spec_of(32, 1e4);
    const OwnTable table = float32_table(spec);
    const std::vector<Metric> recorded = judged(spec, *table_rows(spec, table));
    const OwnTable one_row =
        changed(table, [](double x, std::size_t row) { return row == 77 ? x * (1 + 0x1p-18) : x; });
    const auto names = drifted(recorded, judged(spec, *table_rows(spec, one_row)));
    EXPECT_NE(std::find(names.begin(), names.end(), "table-accuracy/verdict"), names.end());
    EXPECT_NE(std::find(names.begin(), names.end(), "orthogonality/verdict"), names.end());
}

TEST(Drift, OfAnImplementationIsNeverGettingBetter) {
    const Spec spec = spec_of(32, 1e4);
    const OwnTable table = float32_table(spec);
    const auto wrong_by = [&](double error) {
        const OwnTable other = changed(
            table, [&](double x, std::size_t row) { return row == 77 ? x * (1 + error) : x; });
        return judged(spec, *table_rows(spec, other));
    };
    const std::vector<Metric> recorded = wrong_by(1e-3);
    for (const double error : {0.0, 1e-4, 1e-3, 1.5e-3})
        EXPECT_EQ(drifted(recorded, wrong_by(error)), std::vector<std::string>{}) << error;
    EXPECT_NE(drifted(recorded, wrong_by(3e-3)), std::vector<std::string>{});
}

TEST(Drift, OfAnImplementationContainsNoClaimAndNoDigest) {
    const Spec spec = spec_of(32, 1e4);
    for (const Metric& metric : judged(spec, *table_rows(spec, float32_table(spec)))) {
        EXPECT_EQ(metric.name.find("c3-"), std::string::npos) << metric.name;
        EXPECT_NE(metric.name, "subject/digest");
    }
}

// The worst value of another right implementation may be at a position with a larger tolerance.
TEST(Drift, ComparesErrorsOfAnImplementationByTheirTolerances) {
    const Spec spec = spec_of(32, 1e4);
    const OwnTable table = float32_table(spec);
    const auto off_by = [&](std::size_t at, double error) {
        const OwnTable other =
            changed(table, [&](double x, std::size_t row) { return row == at ? x + error : x; });
        return judged(spec, *table_rows(spec, other));
    };
    const auto near = off_by(1, 0x1p-25), far = off_by(1999, 0x1p-16);
    EXPECT_EQ(drifted(near, far), std::vector<std::string>{});
    EXPECT_NE(drifted(near, off_by(1, 0x1p-16)), std::vector<std::string>{});
}

TEST(Drift, SeesANewCheckThatFails) {
    const Spec spec = spec_of(32, 1e4);
    const std::vector<Metric> right = pipeline_metrics(spec),
                              wrong = pipeline_metrics(spec, "bf16-angles");
    std::vector<Metric> few = right;
    std::erase_if(few, [](const Metric& one) { return one.name.starts_with("table-accuracy/"); });
    const auto names_of = [&](const std::vector<Metric>& now) {
        std::vector<std::string> names;
        for (const Drift& one : failing(drift_of(few, now)))
            if (one.change == Change::added) names.push_back(one.recorded.name);
        return names;
    };
    EXPECT_EQ(names_of(right), std::vector<std::string>{});
    EXPECT_EQ(names_of(wrong), std::vector<std::string>{"table-accuracy/verdict"});
    const auto accepted = accepted_violations(drift_of(few, wrong));
    EXPECT_EQ(std::find(accepted.begin(), accepted.end(), "table-accuracy"), accepted.end());
}

TEST(Renewed, KeepsManualTolerancesAndRefusesTightOnes) {
    Metric set = metric(MetricClass::band, 1.0, 0.5);
    set.spread = 0.25;
    set.basis = "our GPU";
    const Metric kept = renewed({set}, {metric(MetricClass::exact, 7.0)}).at(0);
    EXPECT_EQ(kept.kind, MetricClass::band);
    EXPECT_EQ(kept.value, FieldValue(7.0));
    EXPECT_EQ(kept.atol, 0.5);
    EXPECT_EQ(kept.basis, "our GPU");
    set.atol = 0.125;
    EXPECT_THROW(renewed({set}, {metric(MetricClass::exact, 7.0)}), InputError);
}

TEST(Digest, DependsOnEveryBitAndPlace) {
    const std::vector<double> numbers = {0, 1, -1, 0.5};
    EXPECT_EQ(digest_of(numbers), digest_of(numbers));
    EXPECT_EQ(digest_of(numbers).size(), 16U);
    EXPECT_NE(digest_of(numbers), digest_of(std::vector<double>{1, 0, -1, 0.5}));
    EXPECT_NE(digest_of(numbers), digest_of(std::vector<double>{-0.0, 1, -1, 0.5}));
    EXPECT_EQ(digest_of(std::vector<double>{nan}), digest_of(std::vector<double>{-nan}));
}

TEST(Drift, ListsTheChangesThatABaselineAccepts) {
    const Spec spec = spec_of(32, 1e4);
    const std::vector<Metric> wrong = pipeline_metrics(spec, "bf16-angles"),
                              right = pipeline_metrics(spec);
    const auto accepted = accepted_violations(drift_of(wrong, wrong));
    EXPECT_NE(std::find(accepted.begin(), accepted.end(), "table-accuracy"), accepted.end());
    EXPECT_EQ(accepted_violations(drift_of(right, right)), std::vector<std::string>{});
    EXPECT_EQ(accepted_violations(drift_of(wrong, right)), std::vector<std::string>{});
    EXPECT_EQ(accepted_violations(drift_of(right, wrong)), std::vector<std::string>{});
}

}  // namespace rope::drift_test
