#include "io/render/results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/printable.hpp"
#include "io/render/command_line.hpp"
#include "io/render/finding_text.hpp"
#include "io/text/number_text.hpp"

namespace rope::io {
namespace {

constexpr std::size_t longest_reason = 1000;

std::string drift_command(const DriftReport& drift) {
    return "rope-check baseline check " + shell_word(drift.file);
}

}  // namespace

std::string reason_of(const Finding& finding, const Report& report) {
    const auto [worst, allowed, over] = error_text(finding);
    std::string measured = worst + ", " + allowed + (over.empty() ? "" : ", " + over);
    if (!report.diagnosis.empty() && finding.kind != Kind::claim) {
        const Explanation& first = report.diagnosis.front();
        return printable(first.what, longest_reason) + "; " + measured;
    }
    if (!finding.note.empty()) return printable(finding.note, longest_reason) + "; " + measured;
    return measured;
}

bool gates(const Finding& finding, const Results& results) {
    return finding.kind != Kind::claim ||
           std::find(results.required.begin(), results.required.end(), finding.check) !=
               results.required.end();
}

int exit_code(const Results& results) {
    int code = results.drift && results.drift->fails() ? 1 : 0;
    for (const Report& report : results.reports)
        code = std::max(code, rope::exit_code(report, results.required));
    return code;
}

std::vector<Failure> failures(const Results& results) {
    std::vector<Failure> all;
    for (const Report& report : results.reports)
        for (const Finding& finding : report.findings)
            if (finding.verdict == Verdict::violated && gates(finding, results))
                all.push_back({finding.check, parameters(report), reason_of(finding, report),
                               command_line(report, finding.check, results.text.dump)});
    if (!results.drift) return all;
    for (const RunDrift& run : results.drift->runs)
        for (const Drift& drift : failing(run.drifts, results.drift->strict))
            all.push_back({"drift", shell_words(run.command), drift_sentence(drift),
                           drift_command(*results.drift)});
    return all;
}

std::string headline(const Results& results) {
    std::string text;
    for (const Report& report : results.reports) {
        if (!text.empty()) text += "; ";
        if (!report.subject.layers.empty()) text += printable(report.subject.layers) + ": ";
        text += outcome_line(report);
    }
    if (results.drift) text += (text.empty() ? "" : "; ") + drift_line(*results.drift);
    return text;
}

}  // namespace rope::io
