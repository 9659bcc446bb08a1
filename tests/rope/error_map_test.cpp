#include "rope/checks/error_map.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <variant>

#include "rope/checks/check.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/session/session.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/oracle.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope::error_map_test {

ErrorMap mapped(const Spec& spec, const Dump& dump, std::size_t parts, std::size_t rows = 384,
                unsigned threads = 1, bool keeps_places = false) {
    ErrorMap map{.most_parts = parts, .most_rows = rows, .keeps_places = keeps_places};
    SessionOptions options;
    options.only = {"table-accuracy"};
    options.errors = {&map};
    options.threads = threads;
    compare(spec, dump, {}, options);
    return map;
}

// The exact table in float32, with errors of 10^-1 … 10^-6 in some places.
OwnTable table_with_errors(std::uint32_t pairs, std::vector<double> positions) {
    OwnTable table{.positions = std::move(positions), .pairs = pairs, .cos = {}, .sin = {}};
    Seeded random(7);
    oracle::Real theta, cos, sin;
    for (const double m : table.positions)
        for (std::uint32_t i = 0; i < pairs; ++i) {
            oracle::set_theta(theta, 1e4, i, 2 * pairs);
            oracle::cos_sin(cos, sin, theta, static_cast<std::uint64_t>(m));
            const double error = random.below(50) == 0 ? std::pow(10, -1 - 5 * random.unit()) : 0;
            table.cos.push_back(oracle::nearest(Format::float32, cos) + error);
            table.sin.push_back(oracle::nearest(Format::float32, sin));
        }
    return table;
}

double error_at(const OwnTable& table, std::size_t row, std::uint32_t i) {
    oracle::Real theta, cos, sin;
    oracle::set_theta(theta, 1e4, i, 2 * table.pairs);
    oracle::cos_sin(cos, sin, theta, static_cast<std::uint64_t>(table.positions[row]));
    const std::size_t k = row * table.pairs + i;
    return std::max(oracle::distance(table.cos[k], cos), oracle::distance(table.sin[k], sin));
}

// Every cell has the largest error of all its positions and pairs; no row is skipped.
TEST(ErrorMap, HasTheGreatestErrorOfEachCell) {
    const OwnTable table = table_with_errors(6, counted(1000));
    for (const std::size_t parts : {1U, 7U, 64U, 1520U})
        for (const std::size_t rows : {2U, 3U, 384U}) {
            const ErrorMap map = mapped(spec_of(12, 1e4), table, parts, rows);
            ASSERT_EQ(map.rows(), std::min<std::size_t>(rows, 6));
            std::vector<double> expected(map.worst.size(), -1);
            for (std::size_t row = 0; row < 1000; ++row)
                for (std::uint32_t i = 0; i < 6; ++i) {
                    double& cell = expected[i / map.pairs_per_row * map.columns() +
                                            map.positions.column_of(table.positions[row])];
                    cell = std::max(cell, error_at(table, row, i));
                }
            for (std::size_t k = 0; k < expected.size(); ++k)
                ASSERT_NEAR(map.worst[k], expected[k], 1e-6 * std::abs(expected[k]) + 1e-14) << k;
        }
}

// A place is the value of the table with the largest error in its cell.
TEST(ErrorMap, KeepsWhereEachCellsGreatestErrorIs) {
    const OwnTable table = table_with_errors(6, counted(1000));
    for (const unsigned threads : {1U, 3U}) {
        const ErrorMap map = mapped(spec_of(12, 1e4), table, 64, 3, threads, true);
        ASSERT_EQ(map.places.size(), map.worst.size());
        const std::size_t columns = map.columns(), pairs_per_row = map.pairs_per_row;
        ASSERT_TRUE(columns > 0 && pairs_per_row > 0);
        for (std::size_t k = 0; k < map.places.size(); ++k) {
            const ErrorPlace& place = map.places[k];
            ASSERT_EQ(place.pair / pairs_per_row, k / columns);
            ASSERT_EQ(map.positions.column_of(place.position), k % columns);
            const auto at = static_cast<std::size_t>(place.position) * table.pairs + place.pair;
            ASSERT_EQ(place.got, (place.is_sine ? table.sin : table.cos)[at]);
            ASSERT_EQ(place.error, std::abs(place.got - place.want));
            ASSERT_EQ(static_cast<float>(place.error), map.worst[k]);
        }
    }
}

TEST(ErrorMap, KeepsThePlaceOfValuesThatAreNotFinite) {
    OwnTable table = table_with_errors(2, counted(64));
    table.sin[2 * 40 + 1] = std::numeric_limits<double>::quiet_NaN();
    const ErrorMap map = mapped(spec_of(4, 1e4), table, 1, 1, 1, true);
    ASSERT_EQ(map.places.size(), 1U);
    EXPECT_EQ(map.places[0].position, 40);
    EXPECT_EQ(map.places[0].pair, 1U);
    EXPECT_TRUE(map.places[0].is_sine);
    EXPECT_TRUE(std::isnan(map.places[0].got));
    EXPECT_TRUE(std::isinf(map.places[0].error));
}

TEST(ErrorMap, HasTheWorstErrorOfItsReport) {
    for (const char* pipeline : {"hf-fp32", "bf16-angles"}) {
        for (const std::uint64_t context : {1ULL, 2ULL, 33ULL, 40'000ULL}) {
            ErrorMap map;
            SessionOptions options;
            options.only = {"table-accuracy"};
            options.errors = {&map};
            const Report report =
                verify(spec_of(256, 5e5, llama3(8)), find_pipeline(pipeline), context, options);
            const auto& fields = report.findings.at(0).fields;
            const auto worst = std::ranges::find(fields, "worst_error", &Field::name);
            EXPECT_EQ(std::ranges::max(map.worst),
                      static_cast<float>(std::get<double>(worst->value)))
                << pipeline << " " << context;
        }
    }
}

TEST(ErrorMap, IsInfiniteWhereAValueIsNotANumber) {
    OwnTable table = table_with_errors(2, counted(100));
    table.sin[2 * 70 + 1] = std::numeric_limits<double>::quiet_NaN();
    const ErrorMap map = mapped(spec_of(4, 1e4), table, 1520);
    EXPECT_EQ(map.at(1, map.positions.column_of(70)), std::numeric_limits<float>::infinity());
    EXPECT_EQ(std::ranges::count(map.worst, std::numeric_limits<float>::infinity()), 1);
}

TEST(ErrorMap, HasNoCellWhereThereIsNoPosition) {
    std::vector<double> positions = counted(200);
    positions.erase(positions.begin() + 50, positions.begin() + 150);
    const ErrorMap map = mapped(spec_of(4, 1e4), table_with_errors(2, positions), 1520);
    EXPECT_EQ(map.at(0, map.positions.column_of(100)), -1);
    EXPECT_GE(map.at(0, map.positions.column_of(49)), 0);
    EXPECT_GE(map.at(0, map.positions.column_of(150)), 0);
}

// −50 and 50 shared a cell
TEST(ErrorMap, KeepsTheSignOfPositions) {
    OwnTable table = table_with_errors(2, counted(101));
    for (double& position : table.positions) position -= 50;
    table.sin[2 * 30] = std::numeric_limits<double>::quiet_NaN();
    for (const unsigned threads : {1U, 3U}) {
        const ErrorMap map = mapped(spec_of(4, 1e4), table, 1520, 384, threads);
        EXPECT_EQ(map.positions.scale, PositionScale::linear);
        EXPECT_EQ(map.positions.first, -50);
        EXPECT_EQ(map.columns(), 101U);
        EXPECT_TRUE(std::isinf(map.at(0, map.positions.column_of(-20))));
        EXPECT_FALSE(std::isinf(map.at(0, map.positions.column_of(20))));
    }
}

TEST(ErrorMap, ListsAFewPositionsFarApart) {
    const std::vector<double> positions = {0, 1, 7, 100, 4095, 32767};
    const ErrorMap map = mapped(spec_of(4, 1e4), table_with_errors(2, positions), 1520);
    EXPECT_EQ(map.positions.scale, PositionScale::listed);
    EXPECT_EQ(map.columns(), 6U);
    EXPECT_EQ(map.positions.column_of(100), 3U);
    EXPECT_EQ(std::ranges::count(map.worst, -1.F), 0);
}

TEST(PositionParts, CoverEveryPositionOnce) {
    for (const std::array<double, 2> ends :
         {std::array{0., 0.}, std::array{0., 31.}, std::array{0., 32.}, std::array{0., 131071.},
          std::array{4000., 5000.}, std::array{0.5, 9.5}, std::array{3., 4294967295.}})
        for (const std::size_t parts : {1U, 10U, 1520U}) {
            const PositionParts made = position_parts(ends, parts);
            ASSERT_EQ(made.columns.size(), parts);
            EXPECT_TRUE(std::ranges::is_sorted(made.edges));
            EXPECT_LE(made.edges.front(), ends[0]);
            EXPECT_GT(made.edges.back(), ends[1]);
            EXPECT_EQ(made.columns.back() + 2, made.edges.size());
            EXPECT_EQ(made.column_of(ends[0]), 0U);
            if (ends[0] == 0 && ends[1] > 0 && parts > 100) {
                EXPECT_EQ(made.column_of(1), 1U);
            }
            EXPECT_EQ(made.column_of(ends[1]), made.edges.size() - 2);
            EXPECT_EQ(made.scale == PositionScale::log, ends[1] >= 32 * std::max(1., ends[0]));
        }
}

// The largest absolute error and the first positions beyond limits, compared with a plain loop.

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

// The effect of errors on a logit, compared with its closed form and with random q and k.

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

Finding errors_of(const Spec& spec, const OwnTable& table,
                  const std::vector<double>& suspects = {}) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const auto rows = table_rows(spec, table);
    Finding found;
    report_logits(make_comparison(spec, plan, *rows, 1), suspects, found);
    return found;
}

double number(const Finding& found, std::string_view name) {
    return *finding_field<double>(found, name);
}

std::optional<std::uint64_t> matters_from(const Finding& found) {
    return finding_field<std::uint64_t>(found, "logit_error_matters_from");
}

// The errors at the distances, in order; empty where no two rows have the distance.
std::vector<Field> errors_at(const Finding& found) {
    std::vector<Field> all;
    std::ranges::copy_if(found.fields, std::back_inserter(all),
                         [](const Field& one) { return one.distance.has_value(); });
    return all;
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
    const Finding found = errors_of(spec, table_of(spec, inv_freq_of(spec, scale), 6000));
    EXPECT_DOUBLE_EQ(number(found, "logit_standard_deviation"), 8);
    ASSERT_EQ(errors_at(found).size(), 4U);
    for (const Field& one : errors_at(found))
        EXPECT_NEAR(std::get<double>(one.value), closed_form(spec, scale, *one.distance), 1e-9);
    EXPECT_EQ(errors_at(found).back().distance, 5999U);
    const auto from = matters_from(found);
    ASSERT_TRUE(from);
    EXPECT_GT(closed_form(spec, scale, *from), 0.8);
    EXPECT_LE(closed_form(spec, scale, *from - 1), 0.8);
    // pair 0 rotates by 0.5999 too much, as if the key were 0.5999 tokens further away
    EXPECT_EQ(finding_field<std::uint64_t>(found, "tokens_off_pair"), 0U);
    EXPECT_NEAR(number(found, "tokens_off"), 0.5999, 1e-9);
}

// q·k of vectors with unit variance: Σ a⁴ over the rotating dimensions, 1 for each of the others.
TEST(LogitError, SpreadsByTheFactorOfEveryRotatingDimension) {
    Spec spec = partial(24, 8);
    spec.scaling = yarn(4, 512);
    spec.scaling.attention_factor = 2;
    const Finding found = errors_of(spec, table_of(spec, inv_freq_of(spec, 1), 100));
    EXPECT_DOUBLE_EQ(number(found, "logit_standard_deviation"), std::sqrt(8 * 16 + 16));
}

// An offset that q and k share changes no logit; rows without information are not wrong.
TEST(LogitError, OfPositionsThatAreAllOffByOneIsNone) {
    const Spec spec = spec_of(64, 10000);
    const Finding found = errors_of(spec, table_of(spec, inv_freq_of(spec, 1), 300, 1));
    for (const Field& one : errors_at(found)) EXPECT_LT(std::get<double>(one.value), 1e-9);
    EXPECT_FALSE(matters_from(found));
}

// One row is negated: Δ = −2e^{isθ} for that query, and for that key.
TEST(LogitError, OfOneWrongRowIsFoundWhereItIsSuspected) {
    const Spec spec = spec_of(64, 10000);
    OwnTable table = table_of(spec, inv_freq_of(spec, 1), 200);
    for (std::size_t k = 100 * spec.pairs(); k < 101 * spec.pairs(); ++k) {
        table.cos[k] = -table.cos[k];
        table.sin[k] = -table.sin[k];
    }
    const Finding unknown = errors_of(spec, table), known = errors_of(spec, table, {100});
    EXPECT_LT(number(unknown, "logit_error_at_1"), 1e-6);
    EXPECT_NEAR(number(known, "logit_error_at_1"), std::sqrt(8.0 * spec.pairs()), 1e-6);
    EXPECT_EQ(matters_from(known), 1U);
}

TEST(LogitError, HasNoDistancesThatADumpLacks) {
    const Spec spec = spec_of(64, 10000);
    OwnTable table = table_of(spec, inv_freq_of(spec, 1), 3);
    table.positions = {0, 4, 8};
    const std::vector<Field> found = errors_at(errors_of(spec, table));
    ASSERT_EQ(found.size(), 2U);
    EXPECT_EQ(found.front().value, FieldValue());
    EXPECT_NE(found.back().value, FieldValue());
}

}  // namespace rope::error_map_test
