// Results for CI: JUnit XML, GitHub's annotations and its step summary.
#include <fmt/format.h>

#include <filesystem>

#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/render/results.hpp"
#include "io/system/read_file.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

// printable() removes the characters that XML 1.0 does not allow.
std::string attribute(std::string_view foreign) {
    return xml_escape(printable(foreign, 4000), "\"");
}

// Text with its line breaks.
std::string content(std::string_view text) { return join(split(text, "\n"), attribute, "\n"); }

struct Suite {
    std::string name;
    std::string properties = {}, cases = {};
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
    const Failure failure = failure_of(finding, report, results);
    suite.fail(finding.check, to_string(finding.kind), failure.reason,
               failure_text(finding, report, 0, true) +
                   (failure.cause.empty() ? "" : "usual cause: " + failure.cause + "\n") +
                   "reproduce: " + failure.again);
}

Suite suite_of(const Report& report, const Results& results) {
    Suite suite{"rope-check"};
    // of several dumps or programs of one job
    if (report.subject.pipeline.empty()) suite.name += "." + report.subject.origin;
    if (!report.subject.layers.empty()) suite.name += "." + report.subject.layers;
    suite.tell("parameters", parameters(report));
    suite.tell("subject", report.subject.origin);
    if (const std::string doubt = doubt_of(report.subject); !doubt.empty())
        suite.tell("note", doubt);
    for (const Finding& finding : report.findings) add_finding(suite, finding, report, results);
    return suite;
}

Suite suite_of(const RunDrift& run, const Results& results) {
    Suite suite{"rope-check.baseline." + shell_words(run.command)};
    suite.tell("baseline", results.drift->file);
    const std::string cause = drift_cause(run, results);
    if (const auto accepted = accepted_violations(run.drifts); !accepted.empty())
        suite.tell("accepted_violations", join(accepted));
    for (const Drift& drift : run.drifts)
        if (drift.fails)
            suite.fail(drift.recorded.name, to_string(drift.change),
                       (cause.empty() ? "" : cause + "; ") + drift_sentence(drift), "");
        else
            suite.add(drift.recorded.name, "");
    return suite;
}

// Lint warnings as tests, skipped unless `strict`.
Suite lint_suite(const Results& results) {
    Suite suite{"rope-check.config"};
    for (const Lint& one : results.lint) {
        const std::string message = one.where + ": " + one.message;
        if (one.severity == Severity::note) continue;
        if (results.strict)
            suite.fail(one.id, "warning", message, "");
        else
            suite.skip(one.id, message);
    }
    if (suite.tests == 0) suite.add("warnings", "");
    return suite;
}

// GitHub shows ten annotations of one kind per step.
constexpr std::size_t shown = 9;

// actions/toolkit, packages/core/src/command.ts: escapeData and escapeProperty
std::string escaped(std::string_view text, std::string_view special) {
    std::string safe;
    for (const char c : text)
        if (special.find(c) == special.npos)
            safe += c;
        else
            safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    return safe;
}
std::string data(std::string_view text) { return escaped(text, "%\r\n"); }
std::string property(std::string_view text) { return escaped(text, "%\r\n:,"); }

// `kind`: error or warning.
std::string annotation(std::string_view kind, std::string_view title, std::string_view message,
                       std::string_view place = "") {
    return fmt::format("::{} {}title={}::{}\n", kind, place, property(title), data(message));
}

// "config.json: rope_theta" → "file=config.json,line=7,"; the line only if the first MiB of the
// file contains the key.
std::string annotated(const std::string& place) {
    std::filesystem::path file = place.substr(0, place.find(": "));
    std::error_code missing;
    if (is_directory(file, missing)) file /= "config.json";
    if (!is_regular_file(file, missing)) return "";
    const FileBytes bytes = read_file_head(file, 1 << 20).bytes;
    const std::string_view text = as_text(bytes);
    const std::size_t at = text.find("\"" + place.substr(place.find_last_of(" .") + 1) + "\"");
    std::string annotation = "file=" + property(printable(file.native())) + ",";
    if (at != text.npos)
        annotation += fmt::format("line={},", 1 + std::ranges::count(text.substr(0, at), '\n'));
    return annotation;
}

// GitHub refuses a step summary larger than 1 MiB.
constexpr std::size_t largest = 900'000;

// Adds rows up to the limit, and a line with the number of rows left out.
void add_table(std::string& text, const Cells& cells) {
    const std::string table = "\n" + markdown_table(cells);
    const std::size_t head = 1 + markdown_table({cells.head, cells.align}).size();
    const std::size_t room = largest - std::min(largest, text.size());
    const std::size_t end =
        table.size() <= room ? table.size() : std::max(head, table.rfind('\n', room) + 1);
    text.append(table, 0, end);
    if (const auto left_out = std::ranges::count(table.substr(end), '\n'); left_out > 0)
        text += fmt::format("\nand {} more\n", left_out);
}

void add_failures(std::string& text, const Results& results) {
    Cells cells{{"failed", "cause", "reproduce"}, "lll"};
    for (const Failure& one : failures(results))
        cells.add(one.name, one.reason + (one.cause.empty() ? "" : "; usual cause: " + one.cause),
                  one.again);
    if (!cells.rows.empty()) add_table(text, cells);
}

void add_report(std::string& text, const Report& report, const Results& results) {
    text += "\n### " +
            markdown_escape(report.subject.layers.empty()
                                ? parameters(report)
                                : printable(report.subject.layers) + ": " + parameters(report)) +
            "\n";
    Cells cells{{"check", "kind", "verdict", "error nearest its tolerance", "tolerance"}, "lllrr"};
    for (const Finding& finding : report.findings) {
        const bool counts = gates(finding, results.required);
        if (finding.kind == Kind::claim && !counts) continue;  // most configs violate most claims
        const bool failed = finding.verdict == Verdict::violated && counts;
        const std::string verdict(to_string(finding.verdict));
        cells.add(finding.check, to_string(finding.kind), failed ? "❌ " + verdict : verdict,
                  brief(finding.observed), brief(finding.allowed));
    }
    add_table(text, cells);
}

void add_notes(std::string& text, const DriftReport& drift) {
    Cells cells{{"new or better than the baseline"}, "l"};
    for (const RunDrift& run : drift.runs)
        for (const Drift& one : run.drifts)
            if (one.change != Change::same && !one.fails) cells.add(drift_sentence(one));
    if (!cells.rows.empty()) add_table(text, cells);
}

}  // namespace

std::string junit_xml(const Results& results) {
    std::vector<Suite> suites;
    for (const Report& report : results.reports) suites.push_back(suite_of(report, results));
    if (results.drift)
        for (const RunDrift& run : results.drift->runs) suites.push_back(suite_of(run, results));
    if (gates(results.lint) || suites.empty()) suites.push_back(lint_suite(results));
    if (const std::string why = nothing_checked(results); !why.empty())
        suites.emplace_back(Suite{"rope-check.run"})
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

std::string github_error(std::string_view message) {
    return annotation("error", "rope-check", message);
}

std::string github_text(const Results& results) {
    const std::vector<Failure> all = failures(results);
    std::string text;
    for (std::size_t i = 0; i < all.size() && i < shown; ++i) {
        const std::string cause = all[i].cause.empty() ? "" : "\nusual cause: " + all[i].cause;
        text += annotation("error", "rope-check " + all[i].name,
                           all[i].reason + cause +
                               (all[i].subject.empty() ? "" : "\n" + all[i].subject) +
                               "\nreproduce: " + all[i].again,
                           annotated(all[i].place));
    }
    if (all.size() > shown)
        text += annotation("error", "rope-check", fmt::format("and {} more", all.size() - shown));
    for (const Lint& one : results.lint)
        if (!results.strict && one.severity != Severity::note)
            text += annotation("warning", "rope-check " + one.id, one.where + ": " + one.message,
                               annotated(one.where));
    const std::string last = headline(results);
    return text + doubt_lines(results) + last + (last.empty() ? "" : "\n");
}

std::string markdown_text(const Results& results) {
    std::string text =
        fmt::format("## rope-check: {}\n\n{}\n", exit_code(results) == 0 ? "passed" : "failed",
                    markdown_escape(headline(results)));
    if (const std::string doubts = doubt_lines(results); !doubts.empty())
        text += "\n" + markdown_escape(doubts);
    add_failures(text, results);
    for (const Report& report : results.reports) add_report(text, report, results);
    if (!results.lint.empty()) add_table(text, lint_cells(results.lint));
    if (results.drift) add_notes(text, *results.drift);
    return text;
}

}  // namespace rope::io
