#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "io/json/json_input.hpp"
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

std::vector<std::string> keys(const Json& object) {
    std::vector<std::string> names;
    for (const auto& [key, value] : object.items()) names.push_back(key);
    return names;
}

using Keys = std::vector<std::string>;

TEST(ReportJson, HasItsKeysInAFixedOrder) {
    const Json json = rendered(example_report(), 1);
    EXPECT_EQ(keys(json),
              (Keys{"schema", "tool", "passed", "spec", "subject", "findings", "summary", "plan"}));
    EXPECT_EQ(json["schema"], "rope-check-report/1");
    EXPECT_EQ(keys(json["tool"]), (Keys{"name", "version"}));
    EXPECT_EQ(json["passed"], false);
    EXPECT_EQ(rendered(example_report(), 0)["passed"], true);
    EXPECT_EQ(json["spec"].dump(),
              R"({"head_dim":128,"rotary_dim":128,"layout":"half_split",)"
              R"("max_position_embeddings":4096,)"
              R"("rope_parameters":{"rope_type":"default","rope_theta":10000.0}})");
    EXPECT_EQ(json["plan"].dump(), R"({"attention_factor":1.0,"inv_freq":[1.0,0.5]})");
    EXPECT_EQ(json["subject"].dump(),
              R"({"origin":"pipeline bf16-angles","context":4096,"seed":1})");
    EXPECT_EQ(json["summary"].dump(), R"({"holds":2,"violated":1,"not_applicable":1,)"
                                      R"("claims":{"holds":1,"violated":1},"exit_code":1})");
}

TEST(ReportJson, TellsAFindingInFull) {
    const Json findings = rendered(example_report())["findings"];
    ASSERT_EQ(findings.size(), 6u);
    EXPECT_EQ(findings[0].dump(),
              R"({"check":"orthogonality","kind":"law","verdict":"holds",)"
              R"("statement":"R(m)ᵀR(m) = a²I","source":"RoFormer","observed":1.2e-07,)"
              R"("allowed":2.4e-07,"worst":null,"samples":262144,"note":""})");
    const Json& table = findings[3];
    EXPECT_EQ(keys(table),
              (Keys{"check", "kind", "verdict", "statement", "source", "observed", "allowed",
                    "worst", "samples", "violations", "K", "class", "note"}));
    EXPECT_EQ(table["worst"].dump(),
              R"({"positions":[3259],"pair":10,"got":-1.0,"want":0.9999993926790884})");
    EXPECT_EQ(table["worst"]["want"].get<double>(), 0x1.ffffeb9f27312p-1);
    EXPECT_EQ(table["violations"].dump(), R"({"count":167131,"first":{"position":5,"pair":1}})");
    EXPECT_EQ(findings[5]["first_negative"], nullptr);
    EXPECT_EQ(findings[5]["first_rise"], 17);
}

TEST(ReportJson, SpellsWhatIsNotFinite) {
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

TEST(ReportJson, HoldsOnlyTheRopeParametersThatAreSet) {
    Report report = example_report();
    report.spec.scaling = llama3(8, 1, 4, 8192);
    report.spec.rope_theta = 5e5;
    EXPECT_EQ(rendered(report)["spec"]["rope_parameters"].dump(),
              R"({"rope_type":"llama3","rope_theta":500000.0,"factor":8.0,"low_freq_factor":1.0,)"
              R"("high_freq_factor":4.0,"original_max_position_embeddings":8192})");
}

TEST(ReportJson, HoldsEveryKeyOfARopeType) {
    Report report = example_report();
    Scaling& yarn = report.spec.scaling = scaling("yarn");
    yarn.factor = 40;
    yarn.truncate = false;
    yarn.mscale_all_dim = 0.707;
    yarn.long_factor = {1, 2.5};
    report.spec.seq_len = 5000;
    const Json spec = rendered(report)["spec"];
    EXPECT_EQ(spec["seq_len"], 5000);
    EXPECT_EQ(spec["rope_parameters"].dump(),
              R"({"rope_type":"yarn","rope_theta":10000.0,"factor":40.0,"truncate":false,)"
              R"("mscale_all_dim":0.707,"long_factor":[1.0,2.5]})");
}

TEST(ReportJson, TellsWhereEachFieldCameFrom) {
    Report report = example_report();
    report.origins = {{"head_dim", "--dim"}, {"rope_theta", "config.json: rope_theta"}};
    report.ignored = {"rope_scaling.mscale"};
    const Json spec = rendered(report)["spec"];
    EXPECT_EQ(spec["resolved"].dump(),
              R"({"head_dim":"--dim","rope_theta":"config.json: rope_theta"})");
    EXPECT_EQ(spec["ignored"].dump(), R"(["rope_scaling.mscale"])");
}

TEST(ReportJson, IsReadBackByTheStrictReaderWhateverTheTextHolds) {
    Report report = example_report();
    report.subject.origin = "cos\xff\n\x1b.npy";
    const std::string text = results_json({.reports = {report}});
    EXPECT_EQ(text.back(), '\n');
    EXPECT_EQ(parse_json(text, "report")["subject"]["origin"], "cos\\xff\\n\\x1b.npy");
}

}  // namespace report_json_test
}  // namespace rope::io
