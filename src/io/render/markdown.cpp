#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/printable.hpp"
#include "io/file/read_file.hpp"
#include "io/render/report_text.hpp"
#include "io/render/results.hpp"
#include "io/text/cells.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

// GitHub shows ten annotations of one kind per step.
constexpr std::size_t shown = 9;

// actions/toolkit, packages/core/src/command.ts: escapeData and escapeProperty
std::string escaped(std::string_view text, std::string_view special) {
    std::string safe;
    for (const char c : text) {
        if (special.find(c) == special.npos)
            safe += c;
        else
            safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
    return safe;
}
std::string data(std::string_view text) { return escaped(text, "%\r\n"); }
std::string property(std::string_view text) { return escaped(text, "%\r\n:,"); }

std::string error(std::string_view title, std::string_view message, std::string_view place = "") {
    return fmt::format("::error {}title={}::{}\n", place, property(title), data(message));
}

// "config.json: rope_theta" → "file=config.json,line=7,"; the line only if the first MiB of the
// file contains the key.
std::string annotated(const std::string& place) {
    std::filesystem::path file = place.substr(0, place.find(": "));
    std::error_code missing;
    if (is_directory(file, missing)) file /= "config.json";
    if (!is_regular_file(file, missing)) return "";
    const FileBytes bytes = read_file_head(file, 1 << 20).bytes;
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    const std::size_t at = text.find("\"" + place.substr(place.find_last_of(" .") + 1) + "\"");
    std::string annotation = "file=" + property(printable(file.native())) + ",";
    if (at != text.npos)
        annotation += fmt::format("line={},", 1 + std::ranges::count(text.substr(0, at), '\n'));
    return annotation;
}

}  // namespace

std::string github_text(const Results& results) {
    const std::vector<Failure> all = failures(results);
    std::string text;
    for (std::size_t i = 0; i < all.size() && i < shown; ++i) {
        const std::string cause = all[i].cause.empty() ? "" : "\nusual cause: " + all[i].cause;
        text +=
            error("rope-check " + all[i].name,
                  all[i].reason + cause + "\n" + all[i].subject + "\nreproduce: " + all[i].again,
                  annotated(all[i].place));
    }
    if (all.size() > shown)
        text += error("rope-check", fmt::format("and {} more", all.size() - shown));
    for (const Lint& one : results.lint)
        if (!results.strict && one.severity != Severity::note)
            text +=
                fmt::format("::warning {}title={}::{}\n", annotated(one.where),
                            property("rope-check " + one.id), data(one.where + ": " + one.message));
    return text + doubt_lines(results) + headline(results) + "\n";
}

namespace {

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
    Cells cells{{"check", "kind", "verdict", "observed", "allowed"}, "lllrr"};
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
            if (one.change != Change::same && !fails(one, drift.strict))
                cells.add(drift_sentence(one));
    if (!cells.rows.empty()) add_table(text, cells);
}

}  // namespace

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
