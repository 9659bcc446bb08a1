// Pairs that do not turn in dumps of 16 bits, where each value by itself may be the Spec's.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rope/session/session.hpp"
#include "rope/table/rotate.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope {
namespace {

// Turning by the Spec's frequencies, from pair `still` on by none.
OwnTable table_of(const Spec& spec, Format format, std::uint32_t still, std::uint64_t rows) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    return table_of_angles(spec.pairs(), rows, format, [&](double m, std::uint32_t i) {
        return i < still ? m * plan.pairs[i].inv_freq.to_double() : 0;
    });
}

// What rounds: the result alone, or each product and the table too, as PyTorch does in 16 bits.
enum class Applied { exactly, in_format };

OwnVectors vectors_of(const Spec& spec, Format format, Applied how, std::uint32_t still,
                      std::uint64_t rows, std::uint64_t seed) {
    const Format inside = how == Applied::exactly ? Format::float64 : format;
    const OwnTable table = table_of(spec, inside, still, rows);
    Seeded random(seed);
    OwnVectors dump;
    dump.positions = table.positions;
    dump.format = format;
    for (std::uint64_t m = 0; m < rows; ++m) {
        std::vector<double> x(spec.head_dim), y(spec.head_dim);
        for (double& lane : x) lane = round_to(format, random.within(-2, 2));
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [first, second] = lanes_of_pair(spec, i);
            const double c = table.cos[m * spec.pairs() + i], s = table.sin[m * spec.pairs() + i];
            const auto product = [&](double a, double b) { return round_to(inside, a * b); };
            y[first] = round_to(format, product(x[first], c) - product(x[second], s));
            y[second] = round_to(format, product(x[second], c) + product(x[first], s));
        }
        dump.before.insert(dump.before.end(), x.begin(), x.end());
        dump.after.insert(dump.after.end(), y.begin(), y.end());
    }
    return dump;
}

const Finding& accuracy_of(const Report& report) {
    return *std::ranges::find(report.findings, "table-accuracy", &Finding::check);
}

void expect_named(const Report& report, const std::string& what) {
    const Finding& accuracy = accuracy_of(report);
    EXPECT_EQ(accuracy.verdict, Verdict::violated);
    EXPECT_GT(accuracy.observed, accuracy.allowed);
    ASSERT_TRUE(accuracy.worst);
    EXPECT_EQ(accuracy.worst->got, 0);
    ASSERT_EQ(report.diagnosis.size(), 1);
    EXPECT_EQ(report.diagnosis[0].mistake, "rotary-dim");
    EXPECT_EQ(report.diagnosis[0].what, what);
    EXPECT_LE(report.diagnosis[0].after, 1);
}

TEST(StillPairs, OfATableAreNamedThoughEachSineIsWithinItsAllowance) {
    const Spec spec = spec_of(128, 1e6);
    for (const Format format : {Format::bfloat16, Format::float16}) {
        const std::uint32_t from = format == Format::bfloat16 ? 53 : 62;
        const Report report = compare(spec, TableDump(table_of(spec, format, from, 128)));
        expect_named(report, "pairs " + std::to_string(from) +
                                 "–63 of 64 are not rotated: every sine is exactly 0");
    }
}

TEST(StillPairs, OfVectorsAreNamedThoughEachValueIsWithinItsAllowance) {
    const Spec spec = spec_of(128, 1e6);
    for (const Applied how : {Applied::exactly, Applied::in_format}) {
        const OwnVectors dump = vectors_of(spec, Format::bfloat16, how, 40, 64, 1);
        const Report report = compare(spec, RotatedDump(dump));
        ASSERT_EQ(report.diagnosis.size(), 1);
        const std::string& what = report.diagnosis[0].what;
        EXPECT_TRUE(what.starts_with("pairs 40–")) << what;
        expect_named(report, what);
    }
}

TEST(StillPairs, OfVectorsInFloat32BeforeARotationInBfloat16AreNamed) {
    const Spec spec = spec_of(128, 1e6);
    OwnVectors own = vectors_of(spec, Format::bfloat16, Applied::exactly, 45, 64, 1);
    for (double& lane : own.before) lane *= 1 + 0x1p-12;
    RotatedDump dump = own;
    dump.stored_in = Format::float32;
    EXPECT_EQ(accuracy_of(compare(spec, dump)).verdict, Verdict::violated);
}

TEST(StillPairs, ThatTheSpecDoesNotTurnAreRight) {
    Spec spec = spec_of(128, 1e6);
    spec.scaling.rope_type = "proportional";
    spec.scaling.partial_rotary_factor = 0.5;
    EXPECT_EQ(
        summarize(compare(spec, TableDump(table_of(spec, Format::bfloat16, 64, 64)))).violated, 0);
    const auto dump = vectors_of(spec, Format::bfloat16, Applied::exactly, 64, 64, 1);
    EXPECT_EQ(summarize(compare(spec, RotatedDump(dump))).violated, 0);
}

TEST(StillPairs, AreNotFoundInRightDumps) {
    Seeded random(5);
    for (std::uint64_t seed = 0; seed < 24; ++seed) {
        const double base = std::exp(random.within(std::log(1e4), std::log(1e9)));
        const Spec spec = spec_of(32U << seed % 3, base);
        const auto rows = static_cast<std::uint64_t>(random.within(2, 100));
        const Format format = seed % 2 == 0 ? Format::bfloat16 : Format::float16;
        const TableDump table = table_of(spec, format, spec.pairs(), rows);
        EXPECT_TRUE(compare(spec, table).diagnosis.empty()) << base << ' ' << rows;
        for (const Applied how : {Applied::exactly, Applied::in_format}) {
            const RotatedDump dump = vectors_of(spec, format, how, spec.pairs(), rows, seed);
            EXPECT_TRUE(compare(spec, dump).diagnosis.empty()) << base << ' ' << rows;
        }
    }
}

TEST(StillPairs, ThatAlsoFitAreNotSaidToMatch) {
    const Spec spec = spec_of(128, 1e6);
    const Report report = compare(spec, TableDump(table_of(spec, Format::bfloat16, 40, 128)));
    EXPECT_EQ(
        std::ranges::count(report.observations, "pairs 0–39 match the Spec, pairs 40–49 do not"),
        1);
}

TEST(LeftOut, PairsOfEveryRowAreSaidNotToBeTested) {
    const Spec spec = spec_of(64, 1e4);
    OwnVectors dump = vectors_of(spec_of(64, 5e5), Format::float32, Applied::exactly, 32, 32, 1);
    for (std::size_t k = 0; k < dump.before.size(); ++k)
        if (k % 32 != 0) dump.before[k] = dump.after[k] = 0;
    const Report report = compare(spec, RotatedDump(dump));
    ASSERT_EQ(report.subject.notes.size(), 1);
    EXPECT_TRUE(report.subject.notes[0].ends_with(
        "these were left out; pairs 1–31 in every row that turns, so that their frequencies were "
        "not tested, nor rope_theta, nor a scaling that leaves pair 0 as it is"))
        << report.subject.notes[0];
}

}  // namespace
}  // namespace rope
