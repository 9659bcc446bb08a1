// Right dumps that look unusual: numbers of a narrower format, subnormal numbers, zeros,
// frequencies with an attention factor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <optional>

#include "rope/evidence/phase_lines.hpp"
#include "rope/exact/element.hpp"
#include "rope/session/session.hpp"
#include "rope/spec/dimensions.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/seeded.hpp"
#include "tests/rope/specs.hpp"

namespace rope::diagnose_sound_test {

constexpr std::uint64_t rows = 48;

// Standard normal vectors times `size`, rotated by the Spec.
OwnVectors right_vectors(const Spec& spec, Format format, double size) {
    const OwnTable table = table_of_spec(spec, counted(rows), Format::float64, std::multiplies());
    return vectors_of(table, format, spec, Seeded(3), 2 * size);
}

// inv_freq and its product with the position in float32, as frameworks have them
auto float32_angle(double base, std::uint32_t dim) {
    return [=](double m, std::uint32_t i) {
        const auto inv_freq = static_cast<float>(std::pow(base, -2.0 * i / dim));
        return static_cast<double>(static_cast<float>(m) * inv_freq);
    };
}

std::uint32_t violated(const Spec& spec, const Dump& dump) {
    return summarize(compare(spec, dump)).violated;
}

void scale_pair(OwnVectors& dump, const Spec& spec, std::uint64_t row, std::uint32_t pair) {
    const auto [first, second] = dimensions_of_pair(spec, pair);
    for (const std::size_t dimension : {first, second}) {
        dump.before[row * spec.head_dim + dimension] = 0;
        dump.after[row * spec.head_dim + dimension] = 0;
    }
}

TEST(Narrow, ValuesAreNumbersOfTheFormatThatRoundedThem) {
    Seeded random(1);
    for (const Format format : {Format::bfloat16, Format::float16}) {
        std::vector<double> values;
        for (int k = 0; k < 64; ++k)
            values.push_back(round_to(format, std::exp(random.within(-16, 3))));
        EXPECT_EQ(narrower_format({values, 64}, 1, 64), format);
        values[63] = 1 + 0x1p-20;
        EXPECT_FALSE(narrower_format({values, 64}, 1, 64).has_value());
    }
}

// with so few bits that bfloat16 represents them all
TEST(Narrow, SubnormalNumbersOfFloat16AreNotBfloat16) {
    Seeded random(2);
    std::vector<double> values;
    for (int k = 0; k < 64; ++k)
        values.push_back(round_to(Format::float16, random.within(-5e-6, 5e-6)));
    EXPECT_EQ(narrower_format({values, 64}, 1, 64), Format::float16);
}

TEST(Narrow, FormatIsOpenWhereAllAreZerosAndPowersOfTwo) {
    const std::vector<double> values{0, 1, 0.5, -2, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 4, 8};
    EXPECT_FALSE(narrower_format({values, values.size()}, 1, values.size()).has_value());
    const std::vector<double> lost(64, std::nan(""));
    EXPECT_FALSE(narrower_format({lost, 64}, 1, 64).has_value());
}

// One sparse row in bfloat16 has a dozen values.
TEST(Narrow, FewValuesOfManyBitsTell) {
    std::vector<double> values;
    for (int k = 0; k < 8; ++k) values.push_back((129 + 2 * k) * 0x1p-7);
    EXPECT_EQ(narrower_format({values, 8}, 1, 8), Format::bfloat16);
    EXPECT_FALSE(narrower_format({values, 7}, 1, 7).has_value());
    const std::vector<double> typed{3, 5, 6, 7, 9, 10, 11, 12, 13, 14, 15, 0.75, 1.5, 2.5, 3.5};
    EXPECT_FALSE(narrower_format({typed, typed.size()}, 1, typed.size()).has_value());
}

TEST(Sound, Float16VectorsWithSubnormalNumbersPass) {
    const Spec spec = spec_of(64, 10000);
    for (const double size : {1e-2, 1e-3, 1e-4})
        EXPECT_EQ(violated(spec, RotatedDump(right_vectors(spec, Format::float16, size))), 0U)
            << size;
}

// Rotated in float32 and cast: q is rounded at position 0, too, by one rounding and not by 2⁻⁶.
TEST(Sound, FloatVectorsWhoseRotationIsCastTo16BitsPass) {
    const Spec spec = spec_of(64, 10000);
    OwnVectors dump = right_vectors(spec, Format::float32, 1);
    for (double& y : dump.after) y = round_to(Format::bfloat16, y);
    dump.format = Format::bfloat16;
    RotatedDump cast = dump;
    cast.stored_in = Format::float32;
    EXPECT_EQ(violated(spec, cast), 0U);
    for (std::size_t k = 0; k < spec.head_dim; ++k) dump.after[k] *= 1 + 0x1p-6;
    cast = dump;
    cast.stored_in = Format::float32;
    EXPECT_GE(violated(spec, cast), 1U);
}

// All values are below 2^-14: right ones pass within the roundings of subnormal numbers, wrong
// ones are named within them; no rate is reported if they leave a tenth of a pair's norm open.
TEST(Sound, SubnormalFloat16VectorsPassAndTheirFaultsAreNamed) {
    const Spec spec = spec_of(64, 1e4);
    for (const double size : {2e-5, 1e-5, 5e-6}) {
        OwnVectors dump = right_vectors(spec, Format::float16, size);
        const Report right = compare(spec, RotatedDump(dump));
        EXPECT_EQ(summarize(right).violated, 0U) << size;
        EXPECT_GT(summarize(right).holds, 3U);
        ASSERT_FALSE(right.subject.notes.empty());
        EXPECT_NE(right.subject.notes[0].find("float16 is subnormal"), std::string::npos);
        for (double& position : dump.positions) position += 1;
        const Report wrong = compare(spec, RotatedDump(dump));
        ASSERT_EQ(wrong.diagnosis.size(), 1U) << size;
        EXPECT_EQ(wrong.diagnosis[0].mistake, "position-offset");
    }
    EXPECT_THROW(violated(spec, RotatedDump(right_vectors(spec, Format::float16, 5e-7))),
                 InputError);
}

// The dimensions beyond the pairs are not read as dimensions of the Spec.
TEST(Width, OfVectorsThatAreNotTheSpecsHeadsIsTheOnlyFact) {
    OwnVectors narrow = right_vectors(spec_of(16, 1e4), Format::float32, 1);
    for (const std::uint32_t head_dim : {8U, 32U}) {
        const Report report = compare(spec_of(head_dim, 1e4), RotatedDump(narrow));
        ASSERT_EQ(report.findings.size(), 1U);
        EXPECT_EQ(report.findings[0].verdict, Verdict::violated);
        EXPECT_EQ(report.findings[0].note,
                  "it is 16 dimensions wide; the config's head_dim is " + std::to_string(head_dim));
        EXPECT_TRUE(report.diagnosis.empty());
        EXPECT_EQ(report.observations,
                  std::vector<std::string>{"no known RoPE of this shape explains it"});
    }
}

// Their cosines are all 1 within the rounding of the vectors.
TEST(Sound, VectorsThatHardlyTurnAreNotCalledRoundedTo16Bits) {
    const Spec made = spec_of(16, 1e4, linear(90000)), asked = spec_of(16, 1e4, linear(80000));
    const Report report = compare(asked, RotatedDump(right_vectors(made, Format::float32, 1)));
    EXPECT_EQ(summarize(report).violated, 2U);
    for (const Explanation& one : report.diagnosis) EXPECT_NE(one.mistake, "table-precision");
}

TEST(Sound, ZeroPairsAreLeftOutAndCounted) {
    const Spec spec = spec_of(64, 10000);
    OwnVectors dump = right_vectors(spec, Format::float32, 1);
    scale_pair(dump, spec, 5, 7);
    for (std::uint32_t pair = 0; pair < spec.pairs(); ++pair) scale_pair(dump, spec, 0, pair);
    const Report report = compare(spec, RotatedDump(dump));
    EXPECT_EQ(summarize(report).violated, 0U);
    ASSERT_EQ(report.subject.notes.size(), 1U);
    EXPECT_NE(report.subject.notes[0].find("33 of 1536 pairs"), std::string::npos)
        << report.subject.notes[0];
}

// At far positions a pair's frequency is known more precisely than the tolerance of scores.
TEST(Sound, ZeroRowsAtFarPositionsPass) {
    const Spec spec = spec_of(128, 500000);
    const OwnTable table =
        table_of_angles(counted(rows, 4096), 64, Format::float64, float32_angle(500000, 128));
    OwnVectors dump = vectors_of(table, Format::float32, spec, Seeded(3), 2);
    for (const std::uint64_t row : {0U, 7U, 47U})
        for (std::uint32_t pair = 0; pair < spec.pairs(); ++pair) scale_pair(dump, spec, row, pair);
    EXPECT_EQ(violated(spec, RotatedDump(dump)), 0U);
}

TEST(Sound, AZeroPairHasNoRotation) {
    const Spec spec = spec_of(64, 10000);
    OwnVectors dump = right_vectors(spec, Format::float32, 1);
    scale_pair(dump, spec, 5, 7);
    dump.after[5 * spec.head_dim + 7] = 1e-3;
    const Report report = compare(spec, RotatedDump(dump));
    EXPECT_GT(summarize(report).violated, 0U);
    // no relative error is so large, and yet every value is finite
    for (const Explanation& one : report.diagnosis) EXPECT_NE(one.mistake, "uninitialised");
}

TEST(NotFinite, ValuesDoNotHideMovedDimensions) {
    Spec spec = spec_of(16, 10000);
    spec.head_dim = 24;
    OwnVectors dump = right_vectors(spec, Format::float32, 1);
    for (std::size_t dimension = 0; dimension < dump.after.size(); ++dimension)
        dump.after[dimension] = dimension % 24 < 16 ? std::nan("") : dump.after[dimension] + 1;
    for (const Explanation& one : compare(spec, RotatedDump(dump)).diagnosis)
        EXPECT_NE(one.mistake, "uninitialised");
}

// With 16-bit rounding, unrotated pairs seem to rotate by 1e-6 of their frequency.
TEST(Still, VectorsUnderAnAttentionFactorAreForPosition0) {
    const Spec spec = spec_of(64, 10000, yarn(8));
    for (int k = 0; k < 16; ++k) {
        OwnVectors dump = right_vectors(spec, Format::bfloat16, 1 + k / 16.0);
        for (std::size_t dimension = 0; dimension < dump.after.size(); ++dimension)
            dump.after[dimension] =
                round_to(Format::bfloat16, (0.1 * std::log(8) + 1) * dump.before[dimension]);
        for (double& m : dump.positions) m += 500;
        const Report report = compare(spec, RotatedDump(dump));
        ASSERT_EQ(report.diagnosis.size(), 1U);
        EXPECT_EQ(report.diagnosis[0].mistake, "position-collapse") << k;
    }
}

TEST(Sound, FaultsOfDumpsWithZeroPairsAreNamed) {
    const Spec spec = spec_of(64, 10000);
    OwnVectors dump = right_vectors(spec_of(64, 500000), Format::float32, 1);
    for (std::uint64_t row = 0; row < rows; ++row) scale_pair(dump, spec, row, 3);
    const Report report = compare(spec, RotatedDump(dump));
    ASSERT_EQ(report.diagnosis.size(), 1U);
    EXPECT_EQ(report.diagnosis[0].mistake, "base");
}

TEST(Sound, FrequenciesAreCheckedWithoutTheAttentionFactor) {
    for (const double factor : {4.0, 8.0, 16.0, 40.0}) {
        const Spec spec = spec_of(64, 10000, yarn(factor));
        FrequencyDump dump;
        for (const PlannedFrequency& pair : plan_frequencies(spec, exact_precision).pairs)
            dump.inv_freq.push_back(static_cast<float>(pair.inv_freq.to_double()));
        EXPECT_EQ(violated(spec, dump), 0U) << factor;
    }
}

// An explanation must fit a dump better than its free parameters would fit any dump.

std::vector<std::string> names_of(const Report& report) {
    std::vector<std::string> names;
    for (const Explanation& one : report.diagnosis) names.push_back(one.mistake);
    return names;
}

// The first row, with a larger weight than all others, changed θ by 4e-5.
TEST(PhaseLines, FarFromZeroAreAsExactAsTheyClaim) {
    const TableDump far =
        table_of_angles(counted(64, 4096), 32, Format::float32, float32_angle(1e7, 64));
    std::vector<std::size_t> sampled(64);
    std::iota(sampled.begin(), sampled.end(), std::size_t{0});
    const auto lines = fit_phase_lines(sample_table(far, sampled));
    ASSERT_EQ(lines.size(), 32u);
    for (std::uint32_t i = 0; i < 32; ++i) {
        const double theta = std::pow(1e7, -2.0 * i / 64);
        EXPECT_NEAR(lines[i].theta, theta, 6 * lines[i].error + 0x1p-24 * theta) << i;
    }
    const auto exact = through_zero(lines);
    ASSERT_EQ(exact.size(), 32u);
    for (std::uint32_t i = 0; i < 32; ++i) {
        EXPECT_NEAR(exact[i].theta, std::pow(1e7, -2.0 * i / 64), 6 * exact[i].error) << i;
        EXPECT_LE(exact[i].error, lines[i].error) << i;
    }
}

// A recurrence's last units absorbed the rest that a rounded base left.
TEST(Diagnosis, NamesNoRoundingThatHalvesNoError) {
    const Spec asked = spec_of(64, 500000, ntk(2));
    const Dump dump =
        TableDump(table_of_angles(counted(64, 4096), 32, Format::float32, float32_angle(1e7, 64)));
    const Report report = compare(asked, dump);
    ASSERT_EQ(names_of(report), std::vector<std::string>{"base"});
    const double base = std::get<double>(report.diagnosis[0].parameters.at(0).second);
    EXPECT_NEAR(base * std::pow(2, 64.0 / 62), 1e7, 1e7 * 1e-6);
}

// The second of two pairs would rotate by 9e4 radians per position, of which float32 keeps no
// digit.
TEST(Diagnosis, NamesNoFrequencyThatFloat32PlacesAnywhere) {
    Spec asked = spec_of(4, 5e6, yarn(40, 2048), 81920);
    asked.scaling.attention_factor = 1;
    Spec used = asked;
    used.scaling.factor = 80;
    const FrequencyPlan plan = plan_frequencies(used, exact_precision);
    const Dump dump =
        TableDump(table_of_angles(counted(256, 49), 2, Format::float32, [&](double m, auto i) {
            return m * plan.pairs[i].inv_freq.to_double();
        }));
    EXPECT_EQ(names_of(compare(asked, dump)), std::vector<std::string>{"scaling-parameter"});
}

// cat(f, f) of 16 pairs is as wide as a half table of 32.
TEST(Diagnosis, RecognizesAnotherWidthByEqualColumns) {
    const Spec asked = spec_of(64, 1e6, yarn(8), 32768);
    Spec narrow = asked;
    narrow.rotary_dim = 32;
    const FrequencyPlan plan = plan_frequencies(narrow, exact_precision);
    const auto angle = [&](double m, std::uint32_t i) {
        return -m * plan.pairs[i % 16].inv_freq.to_double();
    };
    const Dump dump =
        TableDump(table_of_angles(counted(16), 32, Format::float16, angle, plan.attention_factor));
    std::vector<std::string> names = names_of(compare(asked, dump));
    std::ranges::sort(names);
    EXPECT_EQ(names, (std::vector<std::string>{"direction", "rotary-dim"}));
}

// The facts about an error that no diagnosis names.

Finding violated(const char* check, double observed) {
    Finding finding;
    finding.check = check;
    finding.kind = Kind::conformance;
    finding.verdict = Verdict::violated;
    finding.observed = observed;
    finding.allowed = 0.5;
    return finding;
}

TEST(FailureFacts, SayHowManyValuesWhereAndByHowMuch) {
    Report report;
    report.findings = {violated("table-accuracy", 1.6054), violated("composition", HUGE_VAL)};
    report.findings[0].samples = 640;
    report.findings[0].violations = Violations{9, 300, 7};
    report.findings[0].worst = Witness{{4000}, 50, 0.25, 0.75};
    report.findings[1].worst = Witness{{3, -5}, std::nullopt, 0, 1};
    EXPECT_EQ(failure_facts(report),
              (std::vector<std::string>{
                  "table-accuracy: 9 of 640 values exceed their tolerance, first at position 300, "
                  "pair 7; the worst is 3.22 times its tolerance, at position 4000, pair 50",
                  "composition: the worst is not finite, at positions 3, -5"}));
}

TEST(FailureFacts, AreOnlyAboutViolatedLawsAndConformance) {
    Report report;
    report.findings = {violated("max-error", 1), violated("c3-R1", 1), violated("pair-norm", 1)};
    report.findings[1].kind = Kind::claim;
    report.findings[2].verdict = Verdict::holds;
    EXPECT_TRUE(failure_facts(report).empty());
    report.findings[2].verdict = Verdict::violated;
    report.findings[2].kind = Kind::law;
    EXPECT_EQ(failure_facts(report),
              std::vector<std::string>{"pair-norm: the worst is 2 times its tolerance"});
}

}  // namespace rope::diagnose_sound_test
