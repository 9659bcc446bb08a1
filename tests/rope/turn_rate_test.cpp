// Slow pairs in 16-bit dumps, in which each single value may be the Spec's.
#include "rope/checks/turn_rate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "rope/session/session.hpp"
#include "rope/spec/dimensions.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope::turn_rate_test {

// The ratio to the Spec's rate, for a pair of head h at position m.
using Rate = std::function<double(std::uint32_t pair, std::uint64_t head, double m)>;

Rate from_pair(std::uint32_t first, double rate) {
    return [=](std::uint32_t pair, std::uint64_t, double) { return pair < first ? 1 : rate; };
}

const Rate as_asked = from_pair(0, 1);

OwnTable table_of(const Spec& spec, Format format, const Rate& rate, std::uint64_t rows,
                  std::uint64_t head = 0) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    return table_of_angles(counted(rows), spec.pairs(), format, [&](double m, std::uint32_t i) {
        return rate(i, head, m) * m * plan.pairs[i].inv_freq.to_double();
    });
}

// The values that are rounded: only the result, or the table and each product too, as in PyTorch's
// 16 bits.
enum class Applied { exactly, in_format };

struct Drawn {
    Applied how = Applied::exactly;
    std::uint64_t heads = 1, seed = 1;
    bool of_ones = false;
};

// [heads, rows, head_dim]
RotatedDump vectors_of(const Spec& spec, Format format, const Rate& rate, std::uint64_t rows,
                       const Drawn& drawn = {}) {
    const Format inside = drawn.how == Applied::exactly ? Format::float64 : format;
    Seeded random(drawn.seed);
    OwnVectors own;
    own.format = format;
    for (std::uint64_t h = 0; h < drawn.heads; ++h) {
        const OwnTable table = table_of(spec, inside, rate, rows, h);
        own.positions.insert(own.positions.end(), table.positions.begin(), table.positions.end());
        for (std::uint64_t m = 0; m < rows; ++m) {
            std::vector<double> x(spec.head_dim), y(spec.head_dim);
            for (double& dimension : x)
                dimension = drawn.of_ones ? 1 : round_to(format, random.within(-2, 2));
            for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
                const auto [first, second] = dimensions_of_pair(spec, i);
                const double c = table.cos[m * spec.pairs() + i];
                const double s = table.sin[m * spec.pairs() + i];
                const auto product = [&](double a, double b) { return round_to(inside, a * b); };
                y[first] = round_to(format, product(x[first], c) - product(x[second], s));
                y[second] = round_to(format, product(x[second], c) + product(x[first], s));
            }
            own.before.insert(own.before.end(), x.begin(), x.end());
            own.after.insert(own.after.end(), y.begin(), y.end());
        }
    }
    RotatedDump dump = own;
    dump.grid = {{1, drawn.heads * rows}, {drawn.heads, rows}, {rows, 1}};
    return dump;
}

const Finding& rate_of(const Report& report) {
    return *std::ranges::find(report.findings, "turn-rate", &Finding::check);
}

// Found only by its rate, and named; without a name the note is the observation.
void expect_named(const Report& report, const std::string& note, const std::string& what = "") {
    EXPECT_EQ(rate_of(report).verdict, Verdict::violated);
    EXPECT_EQ(rate_of(report).note, note);
    EXPECT_EQ(summarize(report).violated, 1);
    if (what.empty()) {
        EXPECT_EQ(report.observations, std::vector{note});
        return;
    }
    ASSERT_EQ(report.diagnosis.size(), 1);
    EXPECT_EQ(report.diagnosis[0].mistake, "rotary-dim");
    EXPECT_EQ(report.diagnosis[0].what, what);
    EXPECT_LE(report.diagnosis[0].after, 1);
}

const Spec slow = spec_of(128, 1e6);
const std::string but_two = "; no value determines whether pairs 61, 63 of 64 rotate";

TEST(TurnRate, OfATablesPairsThatAreStill) {
    for (const Format format : {Format::bfloat16, Format::float16}) {
        const std::uint32_t from = format == Format::bfloat16 ? 53 : 62;
        const std::string first = std::to_string(from);
        expect_named(compare(slow, table_of(slow, format, from_pair(from, 0), 128)),
                     "pairs " + first + "–63 of 64 do not rotate",
                     "only the first " + first + " of 64 pairs rotate");
    }
}

TEST(TurnRate, OfVectorsPairsThatAreStillOrRotateBackwards) {
    for (const Applied how : {Applied::exactly, Applied::in_format}) {
        const Drawn drawn{.how = how, .heads = 4};
        const Format bf16 = Format::bfloat16;
        expect_named(compare(slow, vectors_of(slow, bf16, from_pair(42, 0), 64, drawn)),
                     "pairs 42–60, 62 of 64 do not rotate" + but_two,
                     "only the first 42 of 64 pairs rotate");
        expect_named(compare(slow, vectors_of(slow, bf16, from_pair(45, -1), 64, drawn)),
                     "pairs 45–60, 62 of 64 do not match the config" + but_two);
    }
}

TEST(TurnRate, ThatDiffersIsObserved) {
    const TableDump table = table_of(slow, Format::bfloat16, from_pair(54, 0.5), 128);
    expect_named(compare(slow, table), "pairs 54–63 of 64 do not match the config");
}

// 64 rows of four heads have no dimension that pairs 61 and 63 would change: a dump with unrotated
// pairs from 61 on passes, and its report states that.
TEST(TurnRate, ThatNoValueTells) {
    const Drawn drawn{.heads = 4};
    for (const Rate& rate : {as_asked, from_pair(63, 0)}) {
        const Report report = compare(slow, vectors_of(slow, Format::bfloat16, rate, 64, drawn));
        EXPECT_EQ(rate_of(report).verdict, Verdict::holds);
        EXPECT_EQ("; " + rate_of(report).note, but_two);
    }
    const Report fast = compare(spec_of(16, 10),
                                vectors_of(spec_of(16, 10), Format::bfloat16, as_asked, 64, drawn));
    EXPECT_EQ(rate_of(fast).verdict, Verdict::not_applicable);
    EXPECT_EQ(rate_of(fast).note, "every pair rotates fast enough for table-accuracy");
}

// llama3's factor of 8 divides only the frequencies of slow pairs.
TEST(TurnRate, OfAScalingThatIsMissing) {
    const Spec scaled = spec_of(128, 5e5, llama3(8));
    const FrequencyPlan plan = plan_frequencies(scaled, exact_precision);
    const FrequencyPlan plain = plan_frequencies(spec_of(128, 5e5), exact_precision);
    const Rate unscaled = [&](std::uint32_t i, std::uint64_t, double) {
        return plain.pairs[i].inv_freq.to_double() / plan.pairs[i].inv_freq.to_double();
    };
    const Report report =
        compare(scaled, vectors_of(scaled, Format::bfloat16, unscaled, 6, {.heads = 32}));
    EXPECT_EQ(rate_of(report).verdict, Verdict::violated);
    EXPECT_EQ(summarize(report).violated, 1);
}

TEST(TurnRate, OfOneHead) {
    const Rate one_head = [](std::uint32_t i, std::uint64_t head, double) {
        return i >= 45 && head == 2 ? 0 : 1;
    };
    const Report report =
        compare(slow, vectors_of(slow, Format::bfloat16, one_head, 128, {.heads = 4}));
    expect_named(report, rate_of(report).note, "head 2 of 4: only the first 45 of 64 pairs rotate");
}

TEST(TurnRate, OfSomeRows) {
    const Rate some_rows = [](std::uint32_t i, std::uint64_t, double m) {
        return i >= 46 && m >= 64 ? 0 : 1;
    };
    const RotatedDump dump = vectors_of(slow, Format::bfloat16, some_rows, 128, {.heads = 8});
    EXPECT_EQ(rate_of(compare(slow, dump)).verdict, Verdict::violated);
}

TEST(TurnRate, OfVectorsInFloat32BeforeARotationInBfloat16) {
    RotatedDump dump = vectors_of(slow, Format::bfloat16, from_pair(45, 0), 64);
    std::vector<double> unrounded = values_of(dump.before, 64, 128);
    for (double& dimension : unrounded) dimension *= 1 + 0x1p-12;
    dump.before = {unrounded, 128};
    dump.stored_in = Format::float32;
    EXPECT_EQ(rate_of(compare(slow, dump)).verdict, Verdict::violated);
}

TEST(TurnRate, OfPairsThatTheSpecDoesNotTurnIsNone) {
    Spec spec = slow;
    spec.scaling = {.rope_type = "proportional", .partial_rotary_factor = 0.5};
    for (const Dump& dump :
         {Dump(TableDump(table_of(spec, Format::bfloat16, as_asked, 64))),
          Dump(vectors_of(spec, Format::bfloat16, as_asked, 64, {.heads = 4}))}) {
        EXPECT_EQ(summarize(compare(spec, dump)).violated, 0);
        EXPECT_EQ(rate_of(compare(spec, dump)).verdict, Verdict::holds);
    }
}

TEST(TurnRate, IsRightInRightDumps) {
    Seeded random(5);
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const double base = std::exp(random.within(std::log(1e4), std::log(1e9)));
        const Spec spec = spec_of(32U << seed % 3, base);
        const auto rows = static_cast<std::uint64_t>(random.within(2, 100));
        const Format format = seed % 2 == 0 ? Format::bfloat16 : Format::float16;
        const TableDump table = table_of(spec, format, as_asked, rows);
        EXPECT_EQ(summarize(compare(spec, table)).violated, 0) << base << ' ' << rows;
        for (const Applied how : {Applied::exactly, Applied::in_format})
            for (const bool of_ones : {false, true}) {
                const Drawn drawn{how, 1 + seed % 4, seed, of_ones};
                const RotatedDump dump = vectors_of(spec, format, as_asked, rows, drawn);
                EXPECT_EQ(summarize(compare(spec, dump)).violated, 0) << base << ' ' << rows;
            }
    }
}

// Angles rounded to bfloat16, as in the pipeline bf16-angles, are another fault.
TEST(TurnRate, OfRoundedAnglesIsRight) {
    const auto rounded = [](double m, double theta) {
        return round_to(Format::bfloat16, m * theta);
    };
    const OwnTable own = table_of_spec(slow, counted(128), Format::bfloat16, rounded);
    const Report report = compare(slow, TableDump(own));
    EXPECT_EQ(rate_of(report).verdict, Verdict::holds);
    EXPECT_GT(rate_of(report).samples, 0);
}

TEST(TurnRate, RefutesASpecThatADumpMightBe) {
    const Dump dump = vectors_of(slow, Format::bfloat16, from_pair(40, 0), 64, {.heads = 4});
    const Spec spec = identify_judged(dump).spec;
    EXPECT_EQ(spec.scaling.rope_type, "proportional");
    EXPECT_EQ(spec.scaling.partial_rotary_factor, 0.625);
}

TEST(TurnRate, IsNoPartOfReportsInFloat32) {
    const Report report = compare(slow, TableDump(table_of(slow, Format::float32, as_asked, 64)));
    EXPECT_EQ(std::ranges::count(report.findings, "turn-rate", &Finding::check), 0);
}

TEST(TurnRate, OfWrongPairsIsNotReportedAsMatching) {
    const TableDump table = table_of(slow, Format::bfloat16, from_pair(40, 0.3), 128);
    const Report report = compare(slow, table);
    EXPECT_EQ(
        std::ranges::count(report.observations, "pairs 0–39 match the config, pairs 40–63 do not"),
        1)
        << testing::PrintToString(report.observations);
}

TEST(TurnRate, OfUnrotatedLastPairsIsRotaryDim) {
    const TableDump table = table_of(slow, Format::bfloat16, from_pair(40, 0), 128);
    const Report report = compare(slow, table);
    ASSERT_EQ(report.diagnosis.size(), 1U);
    EXPECT_EQ(report.diagnosis[0].mistake, "rotary-dim");
    EXPECT_EQ(report.diagnosis[0].what, "only the first 40 of 64 pairs rotate");
}

// One rounding at every step, in two formats each.
TEST(SmallRotation, IsRoundedByNoMoreThanItsError) {
    Seeded random(1);
    constexpr Format formats[] = {Format::bfloat16, Format::float16, Format::float32};
    for (int k = 0; k < 100000; ++k) {
        const Format values = formats[random.below(2)], table = formats[random.below(3)];
        const double angle = 0.25 * std::exp(random.within(-12, 0)) * (k % 2 == 0 ? 1 : -1);
        const double a = k % 5 == 0 ? random.within(0.5, 1.5) : 1;
        const bool is_finer = unit_roundoff(table) < unit_roundoff(values);
        const RotationFormats rounding(values, is_finer ? values : table, a);
        const auto draw = [&] {
            return round_to(values, std::exp(random.within(-6, 3)) * (random.below(2) ? 1 : -1));
        };
        const double x1 = draw(), x2 = draw();
        const auto of_table = [&](double z) {
            return a == 1 ? round_to(table, z)
                          : round_to(table, round_to(table, z) * round_to(table, a));
        };
        const double c = of_table(std::cos(angle)), s = of_table(std::sin(angle));
        const auto product = [&](double p, double q) { return round_to(values, p * q); };
        const SmallRotation small(angle, rounding);
        SmallRotation::Rotated want = small.of(x1, x2);
        small.add_errors(want, x1, x2, 0, 0);
        const double y1 = round_to(values, product(c, x1) - product(s, x2));
        const double y2 = round_to(values, product(c, x2) + product(s, x1));
        EXPECT_LE(std::abs(y1 - want.first.value), want.first.error) << angle << ' ' << x1;
        EXPECT_LE(std::abs(y2 - want.second.value), want.second.error) << angle << ' ' << x2;
    }
}

}  // namespace rope::turn_rate_test
