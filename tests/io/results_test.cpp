#include "io/render/results.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "io/render/baseline.hpp"
#include "io/text/json_text.hpp"
#include "rope/checks/report.hpp"
#include "tests/io/error_message.hpp"

namespace rope::io::results_test {

// One Report with every kind of finding, for the tests of its renderings.

Finding finding(const char* check, Kind kind, Verdict verdict) {
    Finding one;
    one.check = check;
    one.kind = kind;
    one.verdict = verdict;
    return one;
}

Report example_report() {
    Report report;
    report.spec.max_position_embeddings = 4096;
    report.inv_freq = {1, 0.5};
    report.subject = {"pipeline bf16-angles", "bf16-angles", 4096, 1};
    report.findings = {finding("orthogonality", Kind::law, Verdict::holds),
                       finding("relative-position", Kind::law, Verdict::holds),
                       finding("pass-through", Kind::law, Verdict::not_applicable),
                       finding("table-accuracy", Kind::conformance, Verdict::violated),
                       finding("c3-R3", Kind::claim, Verdict::violated)};
    Finding& table = report.findings[3];
    table.observed = 2;
    table.allowed = 0.00390625;
    table.worst = Witness{{3259}, 10, -1, 0x1.ffffeb9f27312p-1};
    table.violations = Violations{167131, 5, 1};
    table.fields = {{"K", 131072.5, FieldRole::measured}};
    report.findings[4].claim = "c3";
    report.findings[4].reading = "R3";
    return report;
}

std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++n;
    return n;
}

Metric metric(const std::string& name, FieldValue value) {
    return {.name = name, .value = std::move(value), .basis = "a test"};
}

Results drifting(std::size_t n, const std::string& prefix = "m") {
    std::vector<Metric> recorded, now;
    for (std::size_t i = 0; i < n; ++i) {
        recorded.push_back(metric(prefix + std::to_string(100'000 + i), 1.0));
        now.push_back(metric(recorded.back().name, 2.0));
    }
    Results results;
    results.drift = DriftReport{.file = "b.json",
                                .runs = {{{"verify", "--dim", "64"}, drift_of(recorded, now)}}};
    return results;
}

TEST(Results, FailWhereALawOrARequiredClaimIsViolatedOrAMetricDrifted) {
    Report report = example_report();
    EXPECT_EQ(exit_code({.reports = {report}}), 1);
    report.findings[3].verdict = Verdict::holds;
    EXPECT_EQ(exit_code({.reports = {report}}), 0);
    EXPECT_EQ(exit_code({.reports = {report}, .required = {"c3-R3"}}), 1);
    Results results = drifting(1);
    results.reports = {report};
    EXPECT_EQ(exit_code(results), 1);
    EXPECT_EQ(exit_code({.reports = {report}, .drift = DriftReport{.file = "b", .runs = {}}}), 0);
}

Report report_of(Kind kind, Verdict verdict, const std::string& note) {
    Report report = example_report();
    report.findings.resize(1);
    report.findings[0].kind = kind;
    report.findings[0].verdict = verdict;
    report.findings[0].note = note;
    return report;
}

TEST(Results, NeverPassWhereNothingWasChecked) {
    const Report skipped = report_of(Kind::law, Verdict::not_applicable, "every dimension rotates");
    const Results twice{.reports = {skipped, skipped}};
    EXPECT_EQ(exit_code(twice), 2);
    EXPECT_EQ(nothing_checked(twice),
              "nothing was checked: every dimension rotates (orthogonality)");
    EXPECT_EQ(count(github_text(twice), "::error title=rope-check nothing-checked::"), 1u);
    EXPECT_EQ(count(junit_xml(twice), "<failure type=\"nothing-checked\""), 1u);
    EXPECT_TRUE(markdown_text(twice).starts_with("## rope-check: failed\n"));

    const Report held = report_of(Kind::law, Verdict::holds, "");
    EXPECT_EQ(exit_code({.reports = {skipped, held}}), 0);
    EXPECT_EQ(rope::exit_code(skipped, {}), 2);
    EXPECT_EQ(rope::exit_code(held, {}), 0);
}

TEST(Results, CountAClaimAsCheckedWhereItIsRequiredOrHeldToABaseline) {
    const Report claim = report_of(Kind::claim, Verdict::holds, "");
    EXPECT_EQ(exit_code({.reports = {claim}}), 2);
    EXPECT_EQ(nothing_checked({.reports = {claim}}),
              "nothing was checked: a claim does not count unless --require names it "
              "(orthogonality)");
    EXPECT_EQ(exit_code({.reports = {claim}, .required = {"orthogonality"}}), 0);
    EXPECT_EQ(exit_code({.reports = {claim}, .drift = DriftReport{.file = "b", .runs = {}}}), 0);
    const Report open = report_of(Kind::claim, Verdict::not_applicable, "");
    EXPECT_EQ(nothing_checked({.reports = {open}, .required = {"orthogonality"}}),
              "nothing was checked: it does not apply here (orthogonality)");
}

TEST(GitHub, AnnotatesEachChangedKeyAndCountsItsConsequences) {
    Results results = drifting(3);
    std::vector<Drift>& drifts = results.drift->runs[0].drifts;
    EXPECT_EQ(count(github_text(results), "::error"), 3U);
    drifts[0].recorded.name = "spec/rope_theta";
    EXPECT_EQ(failures(results).size(), 1U);
    EXPECT_TRUE(failures(results)[0].reason.ends_with("; 2 other metrics drifted"));
    drifts[1].recorded.name = "k/spec/factor";
    EXPECT_EQ(failures(results).size(), 2U);
    EXPECT_TRUE(failures(results)[1].reason.ends_with("; 1 other metric drifted"));
    EXPECT_EQ(count(github_text(results), "file="), 0U);  // the run has no file name
}

TEST(GitHub, PrintsAtMostNineErrorsAndTheNumberOfOthers) {
    EXPECT_EQ(count(github_text(drifting(9)), "::error"), 9U);
    const std::string text = github_text(drifting(12));
    EXPECT_EQ(count(text, "::error"), 10U);
    EXPECT_NE(text.find("::error title=rope-check::and 3 more\n"), std::string::npos);
}

TEST(GitHub, AnnotatesWarningsAndNoNotesWhereLintDoesNotFail) {
    Results results;
    results.lint = {{"odd", Severity::warning, "c.json: x", "is odd"},
                    {"plain", Severity::note, "c.json: y", "is plain"}};
    const std::string text = github_text(results);
    EXPECT_EQ(count(text, "::warning"), 1U);
    EXPECT_EQ(count(text, "::warning title=rope-check odd::c.json: x: is odd\n"), 1U);
    results.strict = true;  // strict makes them errors
    EXPECT_EQ(count(github_text(results), "::warning"), 0U);
}

TEST(GitHub, EscapesTheMarkupOfAnnotations) {
    const std::string line = first_line(github_text(drifting(1, "100%\r\n::error,a:b")));
    EXPECT_EQ(line.find('\r'), std::string::npos);
    EXPECT_NE(line.find("100%25\\r\\n::error,a:b"), std::string::npos) << line;
    Results results{.reports = {example_report()}};
    results.reports[0].findings[3].check = "a:b,c%";
    EXPECT_TRUE(github_text(results).starts_with("::error title=rope-check a%3Ab%2Cc%25::"));
}

// 900,000 bytes of the MiB that GitHub takes.
TEST(Markdown, CountsTheOmittedRows) {
    const auto text_of = [](std::size_t rows) {
        Results results;
        results.lint.assign(rows, {"odd", Severity::warning, "x", std::string(990, 'w')});
        return markdown_text(results);
    };
    const std::size_t room = count(text_of(1000), "| warning |");
    EXPECT_GT(room, 800U);
    EXPECT_LT(text_of(1000).size(), 1U << 20);
    EXPECT_EQ(count(text_of(room), "more"), 0U);
    EXPECT_EQ(count(text_of(room + 1), "\nand 1 more\n"), 1U);
    EXPECT_EQ(count(text_of(room + 7), "\nand 7 more\n"), 1U);
}

TEST(Markdown, IsCappedAndStatesTheOmittedAmount) {
    const std::string text = markdown_text(drifting(20'000));
    EXPECT_LT(text.size(), 910'000U);
    EXPECT_EQ(count(text, "| drift |") + std::stoul(text.substr(text.rfind("and ") + 4)), 20'000U);
}

TEST(Markdown, KeepsItsTableWithAnyText) {
    const std::string text = markdown_text(drifting(1, "a|b<c>`"));
    EXPECT_NE(text.find("a\\|b"), std::string::npos);
    EXPECT_EQ(text.find("<c>"), std::string::npos);
}

TEST(Baseline, ComesBackAsItWasWritten) {
    Metric bound = metric("b", 1e-300);
    bound.kind = MetricClass::bound;
    bound.atol = 0.1;
    bound.spread = 0.01;
    Baseline baseline;
    for (const char* key : provenance_keys) baseline.provenance.texts[key] = "\"why\"\u2026";
    baseline.provenance.seed = 7;
    baseline.runs = {{{"verify", "--dim", "64"},
                      {metric("a", FieldValue()), bound, metric("c", std::uint64_t{1} << 63),
                       metric("d", std::string("|r̂| \"quoted\""))}}};
    const std::string text = baseline_json(baseline);
    EXPECT_EQ(baseline_json(parse_baseline(text, "b.json")), text);
    EXPECT_EQ(count(text, "\n        \""), 4U);  // one metric on each line
    EXPECT_EQ(count(text, "\"atol\""), 1U);      // only for numbers that may drift
}

TEST(Baseline, IsNotMadeFromNumbersThatAreNotFinite) {
    Baseline baseline;
    baseline.runs = {{{"verify"}, {metric("K", std::numeric_limits<double>::quiet_NaN())}}};
    EXPECT_EQ(error_message<InputError>([&] { (void)baseline_json(baseline); }),
              "K is not a finite number; a baseline cannot record it");
}

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

using testing::HasSubstr;

Report without_failures() {
    Report report = example_report();
    report.findings[3].verdict = Verdict::holds;
    return report;
}

// Beyond float32's resolution, laws hold for any angles.
TEST(ReportText, StatesTheRangeOfComparedAngles) {
    Report report = without_failures();
    report.findings[3].verdict = Verdict::not_applicable;
    report.findings[3].fields = {{"carried_to", std::uint64_t{314794}}};
    EXPECT_THAT(report_text(report),
                HasSubstr("note: the angles match the config up to position 314,794, beyond which "
                          "float32\n      is too coarse\n"));
    EXPECT_THAT(report_text(report), HasSubstr("\n2 checks passed\n"));
    report.subject.nearest_position = 314795;
    EXPECT_THAT(report_text(report), HasSubstr("note: no angle was compared with the config"));
}

TEST(CommandLine, NamesADumpAsItWasNamedAndQuotesForAShell) {
    Report report;
    report.subject = {"a b.npz", "", 9, 1};
    EXPECT_EQ(command_line(report, {}, std::vector<std::string>{"a b.npz"}),
              "rope-check compare 'a b.npz' --dim 128");
    EXPECT_EQ(
        command_line(report, {}, std::vector<std::string>{"--positions", "it's.npy", "$x;\n"}),
        "rope-check compare --positions 'it'\\''s.npy' '$x;\\n' --dim 128");
}

}  // namespace rope::io::results_test
