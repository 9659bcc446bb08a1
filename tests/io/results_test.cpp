#include "io/render/results.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "io/baseline/baseline.hpp"
#include "io/render/report_text.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/example_report.hpp"

namespace rope::io {
namespace results_test {

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

TEST(Results, TellTheFirstExplanationAsTheReason) {
    Report report = example_report();
    const Results noted{.reports = {report}};
    EXPECT_TRUE(failures(noted).at(0).reason.starts_with(
        "position*inv_freq was rounded to 8 bits before cos; keep the angle in float32; "
        "largest error 2.0 at position 3259, pair 10, 512 times the tolerance 3.9e-3"));
    report.diagnosis = {
        {.mistake = "base", .what = "rope_theta is 500000 instead of 10000", .advice = ""}};
    const Results explained{.reports = {report}};
    EXPECT_TRUE(
        failures(explained).at(0).reason.starts_with("rope_theta is 500000 instead of 10000; "));
    EXPECT_NE(github_text(explained).find("::rope_theta is 500000 instead of 10000; "),
              std::string::npos);
    EXPECT_NE(junit_xml(explained).find("message=\"rope_theta is 500000"), std::string::npos);
    EXPECT_NE(markdown_text(explained).find("rope_theta is 500000 instead of 10000; largest error"),
              std::string::npos);
}

TEST(Results, NameTheSubjectTheWholeDiagnosisAndItsUsualCause) {
    Report report = example_report();
    report.subject.layers = "k";
    report.subject.origin = "dump.npz:k";
    report.subject.pipeline = "";
    report.diagnosis = {
        {.mistake = "base", .what = "rope_theta is 500000 instead of 10000", .advice = "a default"},
        {.mistake = "direction", .what = "sin is negated", .advice = "rotate_half, twice"}};
    const Results results{.reports = {report}};
    const Failure failure = failures(results).at(0);
    EXPECT_TRUE(failure.name.starts_with("k: ")) << failure.name;
    EXPECT_TRUE(failure.subject.starts_with("dump.npz:k: head_dim=")) << failure.subject;
    EXPECT_TRUE(failure.reason.starts_with(
        "rope_theta is 500000 instead of 10000 and sin is negated; largest error"));
    const std::string causes =
        "a default (docs/mistakes.md#base); rotate_half, twice (docs/mistakes.md#direction)";
    EXPECT_EQ(failure.cause, causes);
    const std::string said = "usual cause: " + causes;
    EXPECT_NE(github_text(results).find("%0A" + said + "%0Adump.npz:k: head_dim"),
              std::string::npos);
    EXPECT_NE(markdown_text(results).find(said), std::string::npos);
    EXPECT_NE(junit_xml(results).find(said), std::string::npos);
    // a claim is no fault of the subject
    Results required{.reports = {report}, .required = {"c3-R3"}};
    for (const Failure& one : failures(required))
        EXPECT_EQ(one.cause.empty(), one.name.starts_with("k: claim ")) << one.name;
}

TEST(Results, TellTheToleranceThatWouldHavePassed) {
    const auto drift = [](MetricClass kind, FieldValue was, FieldValue now) {
        Metric recorded = metric("m", std::move(was)), measured = metric("m", std::move(now));
        recorded.kind = measured.kind = kind;
        Results results;
        results.drift =
            DriftReport{.file = "b.json", .runs = {{{"verify"}, drift_of({recorded}, {measured})}}};
        return results;
    };
    const Results bound = drift(MetricClass::bound, 1.0, 1.25);
    EXPECT_TRUE(failures(bound).at(0).reason.ends_with("; atol 0.25 would have passed"));
    EXPECT_NE(junit_xml(bound).find("; atol 0.25 would have passed"), std::string::npos);
    const Results band = drift(MetricClass::band, 1.0, 0.75);
    EXPECT_TRUE(failures(band).at(0).reason.ends_with("; atol 0.25 would have passed"));
    for (const Results& exact :
         {drift(MetricClass::exact, 1.0, 2.0), drift(MetricClass::exact, "a", "b")})
        EXPECT_EQ(failures(exact).at(0).reason.find("would have passed"), std::string::npos);
}

TEST(Results, NameAViolatedClaimAsAClaimWithTheCommandThatFindsItAgain) {
    Report report = example_report();
    report.findings[3].verdict = Verdict::holds;
    report.findings[4].note = "pair 0 is past a quarter turn";
    const Results required{.reports = {report}, .required = {"c3-R3"}};
    ASSERT_EQ(failures(required).size(), 1U);
    const Failure failure = failures(required)[0];
    EXPECT_EQ(failure.name, "claim c3-R3");
    EXPECT_EQ(failure.reason,
              "c3[R3: |r̂| decreasing, q = k]: violated first at s = 3 (pair 0); searched to 16384; "
              "pair 0 is past a quarter turn");
    const std::string again = "--only c3-R3 --require c3-R3";
    EXPECT_TRUE(failure.again.ends_with(again)) << failure.again;
    EXPECT_TRUE(github_text(required).starts_with(
        "::error title=rope-check claim c3-R3::c3[R3: |r̂| decreasing"));
    EXPECT_NE(junit_xml(required).find("<failure type=\"claim\" message=\"c3[R3"),
              std::string::npos);
    EXPECT_NE(junit_xml(required).find(again + "</failure>"), std::string::npos);
    EXPECT_NE(headline(required).find("1 of 1 required claim failed"), std::string::npos);
}

TEST(GitHub, AnnotatesEachChangedKeyAndCountsWhatFollows) {
    Results results = drifting(3);
    std::vector<Drift>& drifts = results.drift->runs[0].drifts;
    EXPECT_EQ(count(github_text(results), "::error"), 3U);
    drifts[0].recorded.name = "spec/rope_theta";
    EXPECT_EQ(failures(results).size(), 1U);
    EXPECT_TRUE(failures(results)[0].reason.ends_with("; 2 derived metrics follow"));
    drifts[1].recorded.name = "k/spec/factor";
    EXPECT_EQ(failures(results).size(), 2U);
    EXPECT_TRUE(failures(results)[1].reason.ends_with("; 1 derived metric follows"));
    EXPECT_EQ(count(github_text(results), "file="), 0U);  // the run names no file
}

TEST(Markdown, LeavesOutClaimsThatDoNotGate) {
    Results results{.reports = {report_of(Kind::claim, Verdict::violated, "")}};
    EXPECT_EQ(count(markdown_text(results), "| orthogonality | claim"), 0U);
    results.required = {"orthogonality"};
    EXPECT_EQ(count(markdown_text(results), "| orthogonality | claim | ❌ violated"), 1U);
}

TEST(GitHub, SaysAtMostNineErrorsAndHowManyMore) {
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
    results.strict = true;  // they are errors then
    EXPECT_EQ(count(github_text(results), "::warning"), 0U);
}

TEST(GitHub, EscapesWhatWouldEndAnAnnotationOrStartAnother) {
    const std::string line = first_line(github_text(drifting(1, "100%\r\n::error,a:b")));
    EXPECT_EQ(line.find('\r'), std::string::npos);
    EXPECT_NE(line.find("100%25\\r\\n::error,a:b"), std::string::npos) << line;
    Results results{.reports = {example_report()}};
    results.reports[0].findings[3].check = "a:b,c%";
    EXPECT_TRUE(github_text(results).starts_with("::error title=rope-check a%3Ab%2Cc%25::"));
}

// 900,000 bytes of the MiB that GitHub takes.
TEST(Markdown, CountsTheRowsForWhichThereIsNoRoom) {
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

TEST(JUnit, EscapesForeignText) {
    Results results{.reports = {example_report()}};
    results.reports[0].subject.origin = "<a href=\"x\">&\x01";
    results.reports[0].findings[2].note = "\"]]>\n<skipped/>";
    const std::string xml = junit_xml(results);
    EXPECT_NE(xml.find("value=\"&lt;a href=&quot;x&quot;&gt;&amp;\\x01\""), std::string::npos);
    EXPECT_NE(xml.find("message=\"&quot;]]&gt;\\n&lt;skipped/&gt;\""), std::string::npos);
}

TEST(Markdown, IsCappedAndSaysHowMuchIsMissing) {
    const std::string text = markdown_text(drifting(20'000));
    EXPECT_LT(text.size(), 910'000U);
    EXPECT_EQ(count(text, "| drift |") + std::stoul(text.substr(text.rfind("and ") + 4)), 20'000U);
}

TEST(Markdown, KeepsItsTableWhateverTextSays) {
    const std::string text = markdown_text(drifting(1, "a|b<c>`"));
    EXPECT_NE(text.find("a\\|b"), std::string::npos);
    EXPECT_EQ(text.find("<c>"), std::string::npos);
}

TEST(Baseline, ComesBackAsItWasWritten) {
    Metric bound = metric("b", 1e-300);
    bound.kind = MetricClass::bound;
    bound.atol = 0.1;
    bound.spread = 0.01;
    const Baseline baseline{
        .provenance = {.tool = "t",
                       .commit = "",
                       .compiler = "c",
                       .libm = "l",
                       .architecture = "a",
                       .instructions = "i",
                       .reason = "\"why\"\u2026",
                       .seed = 7},
        .runs = {{{"verify", "--dim", "64"},
                  {metric("a", FieldValue()), bound, metric("c", std::uint64_t{1} << 63),
                   metric("d", std::string("|r̂| \"quoted\""))}}}};
    const std::string text = baseline_json(baseline);
    EXPECT_EQ(baseline_json(parse_baseline(text, "b.json")), text);
    EXPECT_EQ(count(text, "\n        \""), 4U);  // one metric a line
    EXPECT_EQ(count(text, "\"atol\""), 1U);      // of numbers that may drift
}

TEST(Baseline, IsNotMadeOfWhatIsNotFinite) {
    Baseline baseline;
    baseline.runs = {{{"verify"}, {metric("K", std::numeric_limits<double>::quiet_NaN())}}};
    EXPECT_EQ(error_message<InputError>([&] { (void)baseline_json(baseline); }),
              "K is not a finite number; a baseline cannot record it");
}

TEST(AccuracyText, TakesDistancesAndLimitsFromTheFieldsNotFromTheirNames) {
    Finding table;
    table.check = "table-accuracy";
    table.samples = 1;
    table.fields = {{"worst_error", 0.5, FieldRole::measured},
                    {"K", 3.0, FieldRole::units},
                    {"class", std::string("double"), FieldRole::place},
                    {"like", std::string("as accurate as float64"), FieldRole::place},
                    {"m", std::uint64_t{7}, FieldRole::place, "above 1e-9"},
                    {"n", FieldValue(), FieldRole::place, "above 2"}};
    Finding scores;
    scores.check = "score-accuracy";
    scores.samples = 1;
    scores.fields = {{"logit_standard_deviation", 11.0, FieldRole::place},
                     {"e", 0.25, FieldRole::place, "", 64},
                     {"f", FieldValue(), FieldRole::place, "", 65},
                     {"g", 0.5, FieldRole::place, "", 66},
                     {"tokens_off", 2.0, FieldRole::place},
                     {"tokens_off_pair", std::uint64_t{5}, FieldRole::place}};
    Report report;
    report.findings = {table, scores};
    EXPECT_EQ(accuracy_text(report, true),
              "accuracy: largest error of cos and sin 0.50; as accurate as float64; K 3.0;\n"
              "          first above 1e-9 at position 7, never above 2\n"
              "logits:   RMS error 0.25 at distance 64, 0.50 at 66: always below 1.1, a tenth\n"
              "          of the standard deviation of random logits; worst in pair 5:\n"
              "          equivalent to shifting the key by 2.0 tokens\n");
    EXPECT_EQ(accuracy_text(report, false),
              "accuracy: largest error of cos and sin 0.50; as accurate as float64\n"
              "logits:   RMS error 0.25 at distance 64, 0.50 at 66: always below 1.1, a tenth\n"
              "          of the standard deviation of random logits\n");
}

}  // namespace results_test
}  // namespace rope::io
