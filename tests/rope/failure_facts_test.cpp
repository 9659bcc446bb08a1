// The facts about an error that no diagnosis names.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "rope/session/diagnose_report.hpp"

namespace rope {
namespace failure_facts_test {

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

}  // namespace failure_facts_test
}  // namespace rope
