#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "io/json/json_text.hpp"
#include "io/render/results.hpp"
#include "tests/io/example_report.hpp"
#include "tests/io/resolved.hpp"

namespace rope::io {
namespace report_json_test {

using Json = nlohmann::ordered_json;

Json rendered(const Report& report, int exit_code = 0) {
    return Json::parse(json_text(report_object(report, exit_code)));
}

TEST(ReportJson, WritesNumbersThatAreNotFinite) {
    Report report = example_report();
    constexpr double infinity = std::numeric_limits<double>::infinity();
    report.findings[0].observed = std::numeric_limits<double>::quiet_NaN();
    report.findings[0].allowed = infinity;
    report.findings[0].worst = Witness{{0, 1}, std::nullopt, -infinity, -0.0};
    report.findings[0].fields = {{"K", std::numeric_limits<double>::quiet_NaN()}};
    report.inv_freq = {infinity};
    const Json json = rendered(report);
    const Json& finding = json["findings"][0];
    EXPECT_EQ(finding["observed"], "nan");
    EXPECT_EQ(finding["allowed"], "inf");
    EXPECT_EQ(finding["K"], "nan");
    EXPECT_EQ(finding["worst"].dump(), R"({"positions":[0,1],"got":"-inf","want":-0.0})");
    EXPECT_EQ(json["plan"]["inv_freq"].dump(), R"(["inf"])");
}

TEST(ReportJson, IsReadBackByTheStrictReaderWithAnyText) {
    Report report = example_report();
    report.subject.origin = "cos\xff\n\x1b.npy";
    const std::string text = results_json({.reports = {report}});
    EXPECT_EQ(text.back(), '\n');
    EXPECT_EQ(parse_json(text, "report")["subject"]["origin"], "cos\\xff\\n\\x1b.npy");
}

}  // namespace report_json_test
}  // namespace rope::io
