// The largest absolute error and the first positions beyond limits, compared with a plain loop.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rope/checks/accuracy.hpp"
#include "rope/session/session.hpp"
#include "rope/table/exact_rows.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace max_error_test {

struct Errors {
    OwnTable table;
    std::vector<double> error;  // positions × pairs, the larger of cos and sin

    double worst() const { return *std::ranges::max_element(error); }
    std::optional<std::uint64_t> first_beyond(double limit) const {
        for (std::size_t k = 0; k < error.size(); ++k)
            if (error[k] > limit) return k / table.pairs;
        return std::nullopt;
    }
};

// Angles that are too large, by a relative error that grows with the pair.
Errors make_errors(const Spec& spec, std::uint64_t rows, double share) {
    Errors all{{std::vector<double>(rows), spec.pairs(), {}, {}}, {}};
    std::iota(all.table.positions.begin(), all.table.positions.end(), 0);
    const TruthRows truth(plan_frequencies(spec, exact_precision), 0, spec.pairs());
    std::vector<double> c(spec.pairs()), s(spec.pairs());
    for (std::uint64_t m = 0; m < rows; ++m) {
        truth.exact().fill({&m, 1}, c.data(), s.data());
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const double theta = std::pow(spec.rope_theta, -2.0 * i / spec.rotary_dim);
            const double off = static_cast<double>(m) * theta * share * i / spec.pairs();
            const double own_c = c[i] * std::cos(off) - s[i] * std::sin(off);
            const double own_s = s[i] * std::cos(off) + c[i] * std::sin(off);
            all.table.cos.push_back(round_to(Format::float32, own_c));
            all.table.sin.push_back(round_to(Format::float32, own_s));
            all.error.push_back(std::max(std::abs(all.table.cos.back() - c[i]),
                                         std::abs(all.table.sin.back() - s[i])));
        }
    }
    return all;
}

Report compare_to(const Spec& spec, const TableDump& table, std::optional<double> limit,
                  std::vector<std::string> only = {"max-error"}, unsigned threads = 1) {
    SessionOptions options;
    options.only = std::move(only);
    options.max_error = limit;
    options.threads = threads;
    return compare(spec, table, {}, options);
}

TEST(PositionValue, IsAWholeNumberWhereItIsOneFrom0On) {
    EXPECT_EQ(position_value(7), FieldValue(std::uint64_t{7}));
    EXPECT_EQ(position_value(0), FieldValue(std::uint64_t{0}));
    EXPECT_EQ(position_value(-3), FieldValue(-3.0));
    EXPECT_EQ(position_value(2.5), FieldValue(2.5));
    EXPECT_EQ(position_value(std::nullopt), FieldValue());
}

TEST(MaxError, IsThatOfEveryValueAndFailsBeyondTheLimit) {
    const Spec spec = spec_of(64, 10000);
    const Errors all = make_errors(spec, 5000, 1e-6);
    for (const unsigned threads : {1U, 3U}) {
        for (const double limit : {0.0, 1e-5, 1e-3, all.worst(), 1.0}) {
            const Report report = compare_to(spec, all.table, limit, {"max-error"}, threads);
            const Finding& found = report.findings.front();
            EXPECT_NEAR(found.observed, all.worst(), 1e-15);
            EXPECT_EQ(found.allowed, limit);
            EXPECT_EQ(found.samples, 2 * all.error.size());
            if (limit == all.worst()) continue;  // equal to the last bit with the loop above
            EXPECT_EQ(found.verdict, limit < all.worst() ? Verdict::violated : Verdict::holds);
            const auto first = all.first_beyond(limit);
            EXPECT_EQ(found.fields.front().value, first ? FieldValue(*first) : FieldValue());
        }
    }
}

TEST(TableAccuracy, StatesTheErrorAndTheFirstPositionsBeyondLimits) {
    const Spec spec = spec_of(64, 10000);
    for (const double share : {0.0, 1e-7, 1e-6, 1e-5}) {
        const Errors all = make_errors(spec, 5000, share);
        const Report report = compare_to(spec, all.table, std::nullopt, {"table-accuracy"}, 3);
        const auto field = [&](std::string_view name) {
            return std::ranges::find(report.findings.front().fields, name, &Field::name)->value;
        };
        EXPECT_NEAR(std::get<double>(field("worst_error")), all.worst(), 1e-15);
        for (const auto& [name, limit] :
             {std::pair{"first_beyond_1e_3", 1e-3}, std::pair{"first_beyond_2e_9", 0x1p-9}}) {
            const auto first = all.first_beyond(limit);
            EXPECT_EQ(field(name), first ? FieldValue(*first) : FieldValue()) << share;
        }
        const std::string like = std::get<std::string>(field("like"));
        EXPECT_EQ(like, share == 0     ? "as accurate as float64"
                        : share > 5e-6 ? "no known arithmetic does this"
                                       : like);
    }
}

TEST(MaxError, OfNaNIsBeyondEveryLimit) {
    const Spec spec = spec_of(64, 10000);
    Errors all = make_errors(spec, 100, 0);
    all.table.sin[40 * spec.pairs() + 3] = std::nan("");
    const Finding found = compare_to(spec, all.table, 2).findings.front();
    EXPECT_EQ(found.verdict, Verdict::violated);
    EXPECT_EQ(found.worst->positions, std::vector<double>{40});
    EXPECT_EQ(found.worst->pair, 3U);
}

// A dump within its rounding tolerance exceeds --max-error, and this fails the run.
TEST(MaxError, FailsTheRunAlthoughAllChecksPass) {
    const Spec spec = spec_of(128, 10000);
    const Pipeline& hf = find_pipeline("hf-fp32");
    SessionOptions options;
    options.max_error = 1e-3;
    EXPECT_EQ(exit_code(verify(spec, hf, 4096, options), {}), 0);
    const Report late = verify(spec, hf, 131072, options);
    EXPECT_EQ(exit_code(late, {}), 1);
    for (const Finding& finding : late.findings)
        EXPECT_EQ(finding.kind != Kind::claim && finding.verdict == Verdict::violated,
                  finding.check == "max-error")
            << finding.check;
}

TEST(MaxError, IsNoPartOfAReportThatWasAskedForNone) {
    const Spec spec = spec_of(64, 10000);
    const Errors all = make_errors(spec, 100, 0);
    for (const Finding& finding : compare_to(spec, all.table, std::nullopt, {}).findings)
        EXPECT_NE(finding.check, "max-error");
    const Report named = compare_to(spec, all.table, std::nullopt);
    EXPECT_EQ(named.findings.front().verdict, Verdict::not_applicable);
    // and --max-error counts even if --only selects only another check
    EXPECT_EQ(compare_to(spec, all.table, 1, {"pair-norm"}).findings.size(), 2U);
}

}  // namespace max_error_test
}  // namespace rope
