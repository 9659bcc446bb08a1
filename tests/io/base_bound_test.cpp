#include "io/explain/base_bound.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rope::io {
namespace base_bound_test {

using nlohmann::json;

BaseBoundReport report_of(BaseQuestion asked) { return {Spec{}, asked, bound_base(asked), {}}; }

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

TEST(BaseBoundJson, IsOfTheSchema) {
    BaseBoundReport report = report_of({{64, 0}, 1024});
    report.judged = scan_sum(CosineSum({64, 0}, ln(1e4)), 1024, 5000);
    const json told = json::parse(base_bound_document(report, false).json);
    EXPECT_EQ(told.at("schema"), "rope-check-base-bound/1");

    EXPECT_EQ(told.at("dim"), 128);
    EXPECT_EQ(told.at("context"), 1024);
    EXPECT_NEAR(told.at("infimum").at("base").get<double>(), 4293.43756926258, 1e-10);
    EXPECT_EQ(told.at("infimum").at("binding_position"), 1009);
    EXPECT_EQ(told.at("infimum").at("certified"), true);
    EXPECT_EQ(told.at("on_grid"), json({{"digits", 2}, {"base", 4300.0}, {"certified", true}}));
    EXPECT_EQ(told.at("islands").size(), report.found->islands.size());
    EXPECT_EQ(told.at("islands").at(0).at("from"), told.at("infimum").at("base"));
    EXPECT_EQ(told.at("islands").back().at("to_position"), nullptr);
    EXPECT_EQ(told.at("largest_failing").at("certified"), false);
    EXPECT_EQ(told.at("largest_failing").at("ratio"), 1.0002);
    EXPECT_EQ(told.at("rope_type"), "default");
    EXPECT_EQ(told.at("base").at("first_negative"), 1707);
    EXPECT_EQ(told.at("base").at("searched_to"), 5000);
    EXPECT_EQ(told.at("base").at("holds"), true);
}

TEST(BaseBoundJson, IsNullWhereThereIsNothing) {
    const json told = json::parse(base_bound_document(report_of({{1, 0}, 100}), false).json);
    EXPECT_EQ(told.at("infimum"), nullptr);
    EXPECT_EQ(told.at("on_grid"), nullptr);
    EXPECT_TRUE(told.at("islands").empty());
    EXPECT_EQ(told.at("base"), nullptr);
    const json always = json::parse(base_bound_document(report_of({{8, 8}, 100}), false).json);
    EXPECT_EQ(always.at("infimum").at("binding_position"), nullptr);
    EXPECT_EQ(always.at("largest_failing"), nullptr);
    EXPECT_EQ(always.at("dim"), 32);
    EXPECT_EQ(always.at("rotary_dim"), 16);
}

TEST(BaseBoundText, ListsTenIslandsOrAll) {
    const BaseBoundReport report = report_of({{64, 0}, 4096});
    EXPECT_TRUE(has(base_bound_document(report, false).text, "… and 6 more"));
    EXPECT_FALSE(has(base_bound_document(report, true).text, "more"));
    EXPECT_TRUE(has(base_bound_document(report, false).text, "B(4012) = 0 at this base"));
}

TEST(BaseBoundText, SaysWhatIsNotProved) {
    BaseQuestion quick{{64, 0}, 4096};
    quick.prove = false;
    const std::string text = base_bound_document(report_of(quick), false).text;
    EXPECT_TRUE(has(text, "not proved"));
    EXPECT_FALSE(has(text, "proved:"));  // of the smallest round base either
    EXPECT_TRUE(has(base_bound_document(report_of({{48, 16}, 64}), false).text, "+ 16"));
}

// cos s alone is negative at s = 2, whatever the base; a search in steps does not prove it
TEST(BaseBoundText, DoesNotCallASearchThatFoundNothingAProof) {
    BaseBoundReport report = report_of({.pairs = {1, 0}, .context = 2});
    EXPECT_TRUE(
        has(base_bound_document(report, false).text, "proved: every base up to 1e+30 fails"));
    EXPECT_EQ(json::parse(base_bound_document(report, false).json).at("infimum"), nullptr);
    report = report_of({.pairs = {1, 0}, .context = 2, .prove = false});
    EXPECT_TRUE(has(base_bound_document(report, false).text, "none  not proved"));
    EXPECT_FALSE(has(base_bound_document(report, false).text, "proved:"));
    const json infimum = json::parse(base_bound_document(report, false).json).at("infimum");
    EXPECT_EQ(infimum, json({{"base", nullptr},
                             {"binding_position", nullptr},
                             {"certified", false},
                             {"ratio", 1.005}}));
}

TEST(BaseBoundText, SaysHowFarRoundBasesFailWhereNoneWasFound) {
    BaseBoundReport report{{}, {.pairs = {2, 0}, .context = 9, .digits = 1}, BaseBound{}, {}};
    report.found->infimum = IslandEnd{9.5e29, 3};
    report.found->proved = true;
    EXPECT_TRUE(has(base_bound_document(report, false).text, "smallest of 1 digit "));
    EXPECT_TRUE(
        has(base_bound_document(report, false).text, "proved: every such base up to 1e+30 fails"));
}

TEST(BaseBoundText, SaysHowFarASpecHolds) {
    BaseBoundReport report{{}, {.pairs = {64, 0}, .context = 64}, {}, {}};
    report.judged = scan_sum(CosineSum({64, 0}, ln(1e4)), 64, 5000);
    EXPECT_TRUE(has(base_bound_document(report, false).text,
                    "base 10000 holds to s = 1,706, and B(s) < 0 first at s = 1707\n"));
    report.judged = scan_sum(CosineSum({64, 0}, ln(1e4)), 64, 1000);
    EXPECT_TRUE(
        has(base_bound_document(report, false).text, "holds to s = 1,000, which is how far"));
    report.judged = scan_base({32, 32}, 1e4, 64);
    EXPECT_TRUE(has(base_bound_document(report, false).text, "holds at every distance"));
    report.spec.scaling.rope_type = "yarn";
    report.judged = scan_base({64, 0}, 1e4, 2000);
    EXPECT_TRUE(has(base_bound_document(report, false).text,
                    "base 10000 with rope_type yarn fails: B(s) < 0 first at s = 1707"));
    // by Python: -1.824489153422117
    EXPECT_TRUE(
        has(base_bound_document(report, false).text, "s = 0…2,000: -1.82449 at s = 1970\n"));
}

}  // namespace base_bound_test
}  // namespace rope::io
