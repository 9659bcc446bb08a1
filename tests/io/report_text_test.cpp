#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "io/render/results.hpp"
#include "tests/io/example_report.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io {
namespace report_text_test {

using testing::HasSubstr;

Report without_failures() {
    Report report = example_report();
    report.findings[3].verdict = Verdict::holds;
    return report;
}

std::string last_line(const Report& report) {
    return report_text(report, {.quiet = true, .verbose = false, .dump = {}});
}

TEST(ReportText, AnEmptyReportIsNoSuccess) {
    EXPECT_EQ(last_line(Report{}), "no law and no conformance check applied\n");
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
    report.findings[3].worst->want = std::numeric_limits<double>::quiet_NaN();
    const std::string without = report_text(report);  // not "want nan, got nan"
    EXPECT_NE(without.find("not finite at position 3259, pair 10\n"), std::string::npos) << without;
}

// Beyond float32's resolution, laws hold for any angles.
TEST(ReportText, StatesTheRangeOfComparedAngles) {
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

TEST(CommandLine, OmitsDefaults) {
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
    EXPECT_EQ(
        command_line(report, "", std::vector<std::string>{"--positions", "it's.npy", "$x;\n"}),
        "rope-check compare --positions 'it'\\''s.npy' '$x;\\n' --dim 128");
}

}  // namespace report_text_test
}  // namespace rope::io
