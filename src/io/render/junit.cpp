#include <fmt/format.h>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "base/xml.hpp"
#include "io/render/command_line.hpp"
#include "io/render/report_text.hpp"
#include "io/render/results.hpp"

namespace rope::io {
namespace {

// printable() removes the characters that XML 1.0 does not allow.
std::string attribute(std::string_view foreign) {
    return xml_escape(printable(foreign, 4000), "\"");
}

// Text with its line breaks.
std::string content(std::string_view text) {
    std::string safe;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        safe += attribute(text.substr(0, end));
        if (end < text.size()) safe += '\n';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return safe;
}

struct Suite {
    std::string name;
    std::string properties;
    std::string cases;
    std::size_t tests = 0, failed = 0, skipped = 0;

    // `inside`: the element of a test that failed or was skipped; empty if it passed.
    void add(std::string_view test, const std::string& inside) {
        ++tests;
        const std::string head = fmt::format("    <testcase classname=\"{}\" name=\"{}\"",
                                             attribute(name), attribute(test));
        cases += inside.empty() ? head + "/>\n" : head + ">\n" + inside + "    </testcase>\n";
    }
    void fail(std::string_view test, std::string_view type, std::string_view message,
              std::string_view text) {
        ++failed;
        add(test, fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                              attribute(type), attribute(message), content(text)));
    }
    void skip(std::string_view test, std::string_view message) {
        ++skipped;
        add(test, fmt::format("      <skipped message=\"{}\"/>\n", attribute(message)));
    }
    void tell(std::string_view key, std::string_view value) {
        properties += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", attribute(key),
                                  attribute(value));
    }
    std::string xml() const {
        return fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n"
            "    <properties>\n{}    </properties>\n{}  </testsuite>\n",
            attribute(name), tests, failed, skipped, properties, cases);
    }
};

void add_finding(Suite& suite, const Finding& finding, const Report& report,
                 const Results& results) {
    if (finding.verdict == Verdict::holds) return suite.add(finding.check, "");
    if (finding.verdict == Verdict::not_applicable) return suite.skip(finding.check, finding.note);
    if (!gates(finding, results.required))
        return suite.skip(finding.check, "violated, but no --require names this claim");
    const std::string cause = finding.kind == Kind::claim ? "" : usual_cause(report);
    suite.fail(finding.check, to_string(finding.kind), reason_of(finding, report),
               failure_text(finding, report, 0, true) +
                   (cause.empty() ? "" : "usual cause: " + cause + "\n") +
                   "reproduce: " + reproducing(report, finding, results.text.dump));
}

Suite suite_of(const Report& report, const Results& results) {
    Suite suite{.name = "rope-check", .properties = {}, .cases = {}};
    if (!report.subject.layers.empty()) suite.name += "." + report.subject.layers;
    suite.tell("parameters", parameters(report));
    suite.tell("subject", report.subject.origin);
    if (const std::string doubt = doubt_of(report.subject); !doubt.empty())
        suite.tell("note", doubt);
    for (const Finding& finding : report.findings) add_finding(suite, finding, report, results);
    return suite;
}

Suite suite_of(const RunDrift& run, const DriftReport& all) {
    Suite suite{
        .name = "rope-check.baseline." + shell_words(run.command), .properties = {}, .cases = {}};
    suite.tell("baseline", all.file);
    if (const auto accepted = accepted_violations(run.drifts); !accepted.empty())
        suite.tell("accepted_violations", join(accepted));
    for (const Drift& drift : run.drifts) {
        if (fails(drift, all.strict))
            suite.fail(drift.recorded.name, to_string(drift.change),
                       drift_sentence(drift) + passing_tolerance(drift), "");
        else
            suite.add(drift.recorded.name, "");
    }
    return suite;
}

// Lint warnings as tests, skipped unless `strict`.
Suite lint_suite(const Results& results) {
    Suite suite{.name = "rope-check.config", .properties = {}, .cases = {}};
    for (const Lint& one : results.lint) {
        const std::string message = one.where + ": " + one.message;
        if (one.severity == Severity::note) continue;
        if (results.strict)
            suite.fail(one.id, "warning", message, "");
        else
            suite.skip(one.id, message);
    }
    return suite;
}

}  // namespace

std::string junit_xml(const Results& results) {
    std::vector<Suite> suites;
    for (const Report& report : results.reports) suites.push_back(suite_of(report, results));
    if (results.drift)
        for (const RunDrift& run : results.drift->runs)
            suites.push_back(suite_of(run, *results.drift));
    if (gates(results.lint)) suites.push_back(lint_suite(results));
    if (const std::string why = nothing_checked(results); !why.empty())
        suites.emplace_back(Suite{.name = "rope-check.run", .properties = {}, .cases = {}})
            .fail("something-checked", "nothing-checked", why, "");
    std::size_t tests = 0, failed = 0;
    std::string text;
    for (const Suite& suite : suites) {
        tests += suite.tests;
        failed += suite.failed;
        text += suite.xml();
    }
    return fmt::format(
               "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
               "<testsuites name=\"rope-check\" tests=\"{}\" failures=\"{}\" errors=\"0\">\n",
               tests, failed) +
           text + "</testsuites>\n";
}

}  // namespace rope::io
