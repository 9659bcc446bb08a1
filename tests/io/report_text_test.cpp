#include "io/render/report_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "io/render/command_line.hpp"
#include "tests/io/example_report.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io {
namespace report_text_test {

using testing::HasSubstr;
using testing::StartsWith;

const std::string failure =
    "FAIL table-accuracy      largest error 2.0 at position 3259, pair 10, 512 times\n"
    "                         the tolerance 3.9e-3; want 0.999999393, got -1\n"
    "     167,131 of 262,144 values fail, first at position 5, pair 1\n"
    "     cause: position*inv_freq was rounded to 8 bits before cos; keep the angle\n"
    "            in float32\n"
    "reproduce: rope-check verify --dim 128 --max-position 4096 --pipeline bf16-angles\n"
    "\n";

const std::string last = "1 of 3 checks failed · 262,144 values · all 16,777,216 position pairs\n";

TEST(ReportText, PutsFailuresFirstThenTheClaims) {
    EXPECT_EQ(report_text(example_report()),
              failure +
                  "claims:   1 of 2 statements about decay holds for these parameters (-v lists\n"
                  "          them)\n" +
                  last);
}

TEST(ReportText, VerboseListsWhatPassedAndWhatDoesNotApply) {
    const std::string text =
        report_text(example_report(), {.quiet = false, .verbose = true, .dump = {}});
    const auto passed = text.find("ok   orthogonality       1.2e-7  tolerance 2.4e-7\n");
    const auto relative = text.find("ok   relative-position   1.0e-6  tolerance 1.0e-3\n");
    const auto does_not_apply = text.find("n/a  pass-through        every dimension rotates\n");
    EXPECT_LT(text.find("FAIL table-accuracy"), passed) << text;
    EXPECT_LT(passed, relative) << text;
    EXPECT_LT(relative, does_not_apply) << text;
    EXPECT_LT(does_not_apply, text.find("claims:   1 of 2 ")) << text;
    EXPECT_NE(text.find("0x1.ffffeb9f27312p-1"), std::string::npos) << text;
    EXPECT_EQ(report_text(example_report()).find("0x1."), std::string::npos);
}

TEST(ReportText, QuietKeepsFailuresAndTheLastLine) {
    EXPECT_EQ(report_text(example_report(), {.quiet = true, .verbose = false, .dump = {}}),
              failure + last);
}

Report without_failures() {
    Report report = example_report();
    report.findings[3].verdict = Verdict::holds;
    return report;
}

std::string last_line(const Report& report) {
    return report_text(report, {.quiet = true, .verbose = false, .dump = {}});
}

TEST(ReportText, SuccessSaysHowMuchWasLookedAt) {
    EXPECT_EQ(last_line(without_failures()),
              "3 checks passed · 262,144 values · all 16,777,216 position pairs\n");
}

TEST(ReportText, SaysOfADumpThatTheLawsAreBlindAndLeavesClaimsToVerbose) {
    Report report = example_report();
    report.subject.pipeline.clear();
    const std::string text = report_text(report);
    EXPECT_NE(text.find("note: the values are a rotation, but not the one"), std::string::npos)
        << text;
    const std::string told = "1 of 2 statements about decay holds";
    EXPECT_EQ(text.find(told), std::string::npos) << text;
    EXPECT_NE(report_text(report, {.quiet = false, .verbose = true, .dump = {}}).find(told),
              std::string::npos);
    report.findings[3].verdict = Verdict::holds;
    EXPECT_EQ(report_text(report).find("note: the values are a rotation"), std::string::npos);
}

TEST(ReportText, AnEmptyReportIsNoSuccess) {
    EXPECT_EQ(last_line(Report{}), "no law and no conformance check applied\n");
}

TEST(ReportText, VerboseAddsStatementSourceFieldsAndOrigins) {
    Report report = without_failures();
    report.origins = {{"head_dim", "--dim"}};
    const std::string text = report_text(report, {.quiet = false, .verbose = true, .dump = {}});
    EXPECT_NE(text.find("       R(m)ᵀR(m) = a²I   (RoFormer)\n"), std::string::npos) << text;
    EXPECT_NE(text.find("       position_pairs 16777216\n"), std::string::npos) << text;
    EXPECT_NE(text.find("       K 131072\n"), std::string::npos) << text;
    EXPECT_NE(text.find("       worst at position 3259, pair 10\n"), std::string::npos) << text;
    EXPECT_NE(text.find("     head_dim from --dim\n"), std::string::npos) << text;
}

TEST(ReportText, CallsThePlaceOfAClaimItsFirst) {
    Report report = without_failures();
    const auto claim = std::ranges::find(report.findings, Kind::claim, &Finding::kind);
    ASSERT_NE(claim, report.findings.end());
    claim->worst = Witness{{5, 6}, std::nullopt, 0.5, 0.25};
    const std::string text = report_text(report, {.quiet = false, .verbose = true, .dump = {}});
    EXPECT_NE(text.find("       first at positions 5 and 6\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("worst at positions 5 and 6"), std::string::npos) << text;
}

TEST(ReportText, ShowsNanAsTheWorst) {
    Report report = example_report();
    report.findings[3].observed = std::numeric_limits<double>::quiet_NaN();
    report.findings[3].worst->got = std::numeric_limits<double>::quiet_NaN();
    const std::string text = report_text(report);
    EXPECT_NE(text.find("not finite at position 3259, pair 10; want 0.999999393,\n"
                        "                         got nan\n"),
              std::string::npos)
        << text;
}

TEST(ReportText, AClaimThatHoldsSaysHowFarAndWhereItEnds) {
    Report report = example_report();
    Finding& c3 = report.findings[4];
    c3.verdict = Verdict::holds;
    c3.fields[0].value = std::uint64_t{4097};
    EXPECT_NE(report_text(report, {.quiet = false, .verbose = true, .dump = {}})
                  .find("c3[R3: |r̂| decreasing, q = k]: holds to 4096, first "
                        "violated at s = 4097 (pair 0); searched to 16384\n"),
              std::string::npos);
    c3.fields[0].value = std::monostate{};
    EXPECT_NE(report_text(report, {.quiet = false, .verbose = true, .dump = {}})
                  .find("holds to 4096, no violation; searched to 16384\n"),
              std::string::npos);
}

// It was left out of the failures, and the last line said that every check holds.
TEST(ReportText, ARequiredClaimIsAFailureThatIsCounted) {
    Report report = without_failures();
    report.findings[4].note = "pair 0 is past a quarter turn";
    const TextOptions quiet{.quiet = true, .verbose = false, .dump = {}};
    EXPECT_EQ(
        report_text(report, quiet, {"c3-R3"}),
        "FAIL c3-R3               claim c3[R3: |r̂| decreasing, q = k]: violated first at s = 3 "
        "(pair 0); searched to 16384\n"
        "     cause: pair 0 is past a quarter turn\n"
        "reproduce: rope-check verify --dim 128 --max-position 4096 --pipeline bf16-angles "
        "--require c3-R3\n"
        "\n"
        "3 checks passed · 1 of 1 required claim failed · 262,144 values · all 16,777,216 "
        "position pairs\n");
    EXPECT_TRUE(report_text(report, quiet, {"score-decay"})
                    .starts_with("3 checks passed · 1 required claim passed · "));
}

TEST(ReportText, SaysWhyAClaimThatNobodyRequiredIsViolated) {
    Report report = example_report();
    report.findings[4].note = "pair 0 is past a quarter turn";
    EXPECT_NE(report_text(report, {.quiet = false, .verbose = true, .dump = {}})
                  .find("searched to 16384\n"
                        "     cause: pair 0 is past a quarter turn\n"),
              std::string::npos);
}

// float32 carries no farther: laws hold for any angles.
TEST(ReportText, SaysHowFarAnglesWereComparedWithTheConfig) {
    Report report = without_failures();
    report.findings[3].verdict = Verdict::not_applicable;
    report.findings[3].fields = {{"carried_to", std::uint64_t{314794}}};
    EXPECT_THAT(report_text(report),
                HasSubstr("note: the angles match the config up to position 314,794, beyond which "
                          "float32\n      is too coarse\n"));
    EXPECT_THAT(report_text(report), HasSubstr("\n2 checks passed · "));
    report.subject.nearest_position = 314795;
    EXPECT_THAT(report_text(report), HasSubstr("note: no angle was compared with the config"));
}

TEST(CommandLine, LeavesOutWhatIsTheDefault) {
    Report report;
    report.subject = {"pipeline hf-fp32", "hf-fp32", 2048, 1};
    EXPECT_EQ(command_line(report), "rope-check verify --dim 128");
    report.spec = spec(96, 48, interleaved, 131072, 5e5, llama3(8, 1, 4, 8192));
    report.subject = {"pipeline ggml", "ggml", 4096, 7};
    EXPECT_EQ(
        command_line(report, "composition"),
        "rope-check verify --dim 96 --rotary-dim 48 --layout interleaved --max-position 131072 "
        "--base 500000 --rope "
        "rope_type=llama3,factor=8,low_freq_factor=1,high_freq_factor=4,original_max_position_"
        "embeddings=8192 --pipeline ggml --context 4096 --seed 7 --only "
        "composition");
}

TEST(CommandLine, NamesADumpAsItWasNamedAndQuotesForAShell) {
    Report report;
    report.subject = {"a b.npz", "", 9, 1};
    EXPECT_EQ(command_line(report, "", std::vector<std::string>{"a b.npz"}),
              "rope-check compare 'a b.npz' --dim 128");
    EXPECT_EQ(command_line(report, "", std::vector<std::string>{"--cos", "it's.npy", "$x;\n"}),
              "rope-check compare --cos 'it'\\''s.npy' '$x;\\n' --dim 128");
}

}  // namespace report_text_test
}  // namespace rope::io
