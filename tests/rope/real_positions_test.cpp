// Rows at negative and fractional positions: exact values, verdicts and diagnosis.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "rope/dumps.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/oracle.hpp"
#include "rope/rows/exact_rows.hpp"
#include "rope/seeded.hpp"
#include "rope/session/session.hpp"
#include "rope/specs.hpp"

namespace rope::real_positions_test {

using oracle::Real;
using ::testing::ElementsAre;

const Spec plain = spec_of(64, 10000);

std::vector<double> positions_of_every_kind() {
    std::vector<double> positions{
        0,        1,    -1,           0.5,     -0.5,   0.1,
        -1.0 / 3, 1e-9, -1e-300,      5e-324,  4095.5, -131071.25,
        1e9 + .3, 31,   -4294967295., 0x1p-20, -1e5,   static_cast<float>(.7)};
    Seeded random(1);
    for (int k = 0; k < 100; ++k)
        positions.push_back(
            std::ldexp(random.within(-1, 1), static_cast<int>(random.below(40)) - 8));
    return positions;
}

// ---- exact values -------------------------------------------------------------------------------

TEST(RealRows, AreMpfrsAtAnyPosition) {
    for (const Spec& spec : {plain, spec_of(6, 2), spec_of(16, 1e30)}) {
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        std::vector<TurnRate> rates;
        for (const PlannedFrequency& pair : plan.pairs) rates.push_back(turn_rate(pair));
        RealRows rows(plan.pairs, rates);
        std::vector<double> cos(spec.pairs()), sin(spec.pairs());
        for (const double m : positions_of_every_kind()) {
            rows.fill({&m, 1}, cos.data(), sin.data());
            for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
                Real theta, angle(264), c, s;
                oracle::set_theta(theta, spec.rope_theta, i, spec.head_dim);
                mpfr_mul_d(angle, theta, m, MPFR_RNDN);
                mpfr_sin_cos(s, c, angle, MPFR_RNDN);
                EXPECT_NEAR(cos[i], mpfr_get_d(c, MPFR_RNDN), cos_sin_error) << m << ", pair " << i;
                EXPECT_NEAR(sin[i], mpfr_get_d(s, MPFR_RNDN), cos_sin_error) << m << ", pair " << i;
            }
        }
    }
}

TEST(RealRows, KeepWholeTurnsThatAFractionOfAPositionTurns) {
    // θ = 5π/2 and −π/2: equal angles at position 1, different ones at ½
    const std::vector<PlannedFrequency> frequencies{{BigReal::pi(exact_precision) * 2.5, {}},
                                                    {BigReal::pi(exact_precision) * -1.5, {}}};
    RealRows rows(frequencies, {turn_rate(frequencies[0]), turn_rate(frequencies[1])});
    const double half = 0.5;
    double cos[2], sin[2];
    rows.fill({&half, 1}, cos, sin);
    EXPECT_NEAR(cos[0], -std::sqrt(0.5), cos_sin_error);
    EXPECT_NEAR(sin[0], -std::sqrt(0.5), cos_sin_error);
    EXPECT_NEAR(cos[1], -std::sqrt(0.5), cos_sin_error);
    EXPECT_NEAR(sin[1], -std::sqrt(0.5), cos_sin_error);
}

// ---- verdicts -----------------------------------------------------------------------------------

OwnTable table_at(const std::vector<double>& positions, const std::function<double(double)>& used,
                  const Spec& spec = plain, Format format = Format::float32) {
    return table_of_spec(spec, positions, format,
                         [&](double m, double theta) { return used(m) * theta; });
}

double itself(double m) { return m; }

std::vector<double> steps(double from, double to, double step) {
    std::vector<double> positions;
    const auto last = static_cast<int>(std::floor((to - from) / step));
    for (int k = 0; k <= last; ++k) positions.push_back(from + k * step);
    return positions;
}

Verdict verdict(const Report& report, std::string_view check) {
    for (const Finding& finding : report.findings)
        if (finding.check == check) return finding.verdict;
    return Verdict::not_applicable;
}

void expect_all_hold(const Report& report) {
    for (const Finding& finding : report.findings) {
        EXPECT_FALSE(finding.kind != Kind::claim && finding.verdict == Verdict::violated)
            << finding.check;
    }
    EXPECT_EQ(verdict(report, "table-accuracy"), Verdict::holds);
    EXPECT_EQ(verdict(report, "relative-position"), Verdict::holds);
}

TEST(RealPositions, OfARightDumpPassInEveryFormatAndOrder) {
    std::vector<std::vector<double>> lists{steps(-64, 64, 1), steps(-4, 4, 0.0625),
                                           steps(-1, 1, 2.0 / 37), steps(2000.25, 2100, 1),
                                           positions_of_every_kind()};
    std::ranges::reverse(lists[1]);
    for (const std::vector<double>& positions : lists)
        for (const Format format : {Format::float32, Format::bfloat16, Format::float16}) {
            const OwnTable table = table_at(positions, itself, plain, format);
            expect_all_hold(compare(plain, TableDump(table), {}, {}));
            expect_all_hold(compare(
                plain, RotatedDump(vectors_of(table, table.format, plain, Seeded(2))), {}, {}));
        }
}

TEST(RealPositions, WithTheirNegativesCheckTheInverse) {
    const auto judged = [](const std::vector<double>& positions) {
        return verdict(compare(plain, TableDump(table_at(positions, itself)), {}, {}), "inverse");
    };
    EXPECT_EQ(judged({-2, -1, 0, 1, 2}), Verdict::holds);
    EXPECT_EQ(judged({-2.5, 2.5}), Verdict::holds);
    EXPECT_EQ(judged({-2, 1}), Verdict::not_applicable);
    EXPECT_EQ(judged({0, 1, 2}), Verdict::not_applicable);
}

TEST(RealPositions, WhoseInverseIsNoTransposeViolateThatLaw) {
    const OwnTable sound = table_at(steps(-40, 40, 1), itself);
    for (std::uint32_t pair = 0; pair < plain.pairs(); ++pair) {
        OwnTable table = sound;
        table.sin[30 * table.pairs + pair] += 1e-3;
        EXPECT_EQ(verdict(compare(plain, TableDump(table), {}, {{.only = {"inverse"}}}), "inverse"),
                  Verdict::violated)
            << pair;
    }
    OwnTable unsigned_table = table_at(steps(-40, 40, 1), [](double m) { return std::abs(m); });
    EXPECT_EQ(verdict(compare(plain, TableDump(unsigned_table), {}, {}), "inverse"),
              Verdict::violated);
}

TEST(RealPositions, BeyondTheLimitAreRefused) {
    for (const double m : {0x1p32, -0x1p32, std::nan(""), -HUGE_VAL}) {
        OwnTable table = table_at({0, 1}, itself);
        table.positions[1] = m;
        EXPECT_THROW(compare(plain, TableDump(table), {}, {}), InputError) << m;
    }
}

// ---- diagnosis ----------------------------------------------------------------------------------

std::vector<std::string> named(const std::vector<double>& positions,
                               const std::function<double(double)>& used,
                               const Spec& made_for = plain) {
    std::vector<std::string> words;
    const OwnTable table = table_at(positions, used, made_for);
    for (const Dump& dump : {Dump(TableDump(table)),
                             Dump(RotatedDump(vectors_of(table, table.format, plain, Seeded(2))))})
        for (const Explanation& one : compare(plain, dump, {}, {}).diagnosis)
            words.push_back(one.what);
    return words;
}

TEST(RealPositions, LosingTheirSignIsNamed) {
    const std::string lost = "negative positions are used without their sign";
    EXPECT_THAT(named(steps(-50, 50, 1), [](double m) { return std::abs(m); }),
                ElementsAre(lost, lost));
    EXPECT_THAT(named(steps(-3, 3, 0.125), [](double m) { return std::abs(m); }),
                ElementsAre(lost, lost));
}

TEST(RealPositions, ThatAreAllNegativeLoseTheirSignAsADirectionWould) {
    const std::string turned = "every pair rotates in the opposite direction: sin is negated";
    EXPECT_THAT(named(steps(-50, -1, 1), [](double m) { return std::abs(m); }),
                ElementsAre(turned, turned));
}

TEST(RealPositions, BecomingWholeIsNamed) {
    const auto rounded = [](double (*whole)(double)) { return named(steps(-9, 9, 0.25), whole); };
    const std::string are = "fractional positions are ";
    EXPECT_THAT(
        rounded([](double m) { return std::trunc(m); }),
        ElementsAre(are + "truncated to whole numbers", are + "truncated to whole numbers"));
    EXPECT_THAT(
        rounded([](double m) { return std::floor(m); }),
        ElementsAre(are + "rounded down to whole numbers", are + "rounded down to whole numbers"));
    EXPECT_THAT(rounded([](double m) { return std::nearbyint(m); }),
                ElementsAre(are + "rounded to the nearest whole number",
                            are + "rounded to the nearest whole number"));
}

TEST(RealPositions, WithKnownMistakesNameThem) {
    const auto signed_steps = steps(-60, 60, 1), quarters = steps(-8, 8, 0.25);
    EXPECT_THAT(named(signed_steps, [](double m) { return m + 1; }),
                ElementsAre("every row is for position m + 1, not m",
                            "every row is for position m + 1, not m"));
    EXPECT_THAT(named(quarters, [](double m) { return 4 * m; }),
                ElementsAre("positions are multiplied by 4", "positions are multiplied by 4"));
    EXPECT_THAT(named(signed_steps, itself, spec_of(64, 500000)),
                ElementsAre("rope_theta is 500000 instead of 10000",
                            "rope_theta is 500000 instead of 10000"));
}

}  // namespace rope::real_positions_test
