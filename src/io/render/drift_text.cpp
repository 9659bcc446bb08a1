#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/decimal.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"
#include "io/render/command_line.hpp"
#include "io/render/results.hpp"
#include "io/text/cells.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

std::string value_text(const FieldValue& value) {
    struct Visitor {
        std::string operator()(std::monostate) const { return "none"; }
        std::string operator()(std::uint64_t n) const { return decimal(n); }
        std::string operator()(double x) const { return decimal(x); }
        std::string operator()(const std::string& text) const { return printable(text); }
    };
    return std::visit(Visitor{}, value);
}

std::string times_over(const Drift& drift) {
    const double times = std::abs(*drift.difference) / drift.allowed;
    return std::isfinite(times) && times > 1 ? ", " + significant(times, 3) + "x the tolerance"
                                             : "";
}

std::string change_text(const Drift& drift) {
    const std::string old = value_text(drift.recorded.value);
    if (drift.change == Change::vanished) return "was " + old + ", now absent";
    if (drift.change == Change::added) return "is " + old + ", not in the baseline";
    std::string text = "was " + old + ", now " + value_text(drift.now);
    if (drift.difference && *drift.difference != 0)
        text += ": difference " + significant(*drift.difference, 3) + ", allowed " +
                significant(drift.allowed, 3) + times_over(drift);
    return text;
}

std::string_view word_for(const Drift& drift, bool strict) {
    if (fails(drift, strict)) return "DRIFT";
    return drift.change == Change::same ? "same " : "note ";
}

std::string hint(const Drift& drift) {
    return drift.change == Change::better ? "; baseline update would tighten it" : "";
}

struct Counts {
    std::size_t metrics = 0, failing = 0, added = 0, better = 0;
};

Counts count(const DriftReport& report) {
    Counts counts;
    for (const RunDrift& run : report.runs) {
        for (const Drift& drift : run.drifts) {
            ++counts.metrics;
            counts.failing += fails(drift, report.strict) ? 1 : 0;
            counts.added += drift.change == Change::added ? 1 : 0;
            counts.better += drift.change == Change::better ? 1 : 0;
        }
    }
    return counts;
}

// The failures, causes first, then the notes.
std::string run_text(const RunDrift& run, bool strict, bool quiet, bool verbose) {
    std::vector<Drift> told = failing(run.drifts, strict);
    for (const Drift& drift : run.drifts)
        if (!fails(drift, strict) && (verbose || (!quiet && drift.change != Change::same)))
            told.push_back(drift);
    std::size_t width = 0;
    for (const Drift& drift : told) width = std::max(width, drift.recorded.name.size());
    std::string lines;
    for (const Drift& drift : told)
        lines +=
            fmt::format("{} {:<{}}  {}{}\n", word_for(drift, strict),
                        printable(drift.recorded.name), width, change_text(drift), hint(drift));
    return lines;
}

}  // namespace

std::string drift_line(const DriftReport& report) {
    const Counts counts = count(report);
    std::string text =
        counts.failing > 0
            ? fmt::format("{} of {} metrics drifted from {}", counts.failing, counts.metrics,
                          printable(report.file))
            : fmt::format("no drift: {} metrics as in {}", counts.metrics, printable(report.file));
    if (counts.added > 0) text += fmt::format(" · {} new", counts.added);
    if (counts.better > 0) text += fmt::format(" · {} could be tightened", counts.better);
    return text;
}

std::string drift_sentence(const Drift& drift) {
    return printable(drift.recorded.name) + " " + change_text(drift);
}

std::string passing_tolerance(const Drift& drift) {
    const MetricClass kind = drift.recorded.kind;
    if (!drift.difference || (kind != MetricClass::bound && kind != MetricClass::band)) return "";
    if (!std::isfinite(*drift.difference)) return "";
    return fmt::format("; atol {} would have passed", std::abs(*drift.difference));
}

std::string accepted_line(const DriftReport& report) {
    std::vector<std::string> checks;
    for (const RunDrift& run : report.runs)
        for (std::string& check : accepted_violations(run.drifts))
            if (std::find(checks.begin(), checks.end(), check) == checks.end())
                checks.push_back(std::move(check));
    if (checks.empty()) return "";
    return "recorded as violated: " + printable(join(checks));
}

bool DriftReport::fails() const {
    for (const RunDrift& run : runs)
        for (const Drift& drift : run.drifts)
            if (rope::fails(drift, strict)) return true;
    return false;
}

std::string drift_text(const DriftReport& report, bool quiet, bool verbose) {
    std::string text;
    for (const RunDrift& run : report.runs) {
        const std::string lines = run_text(run, report.strict, quiet, verbose);
        if (lines.empty()) continue;
        text += "rope-check " + shell_words(run.command) + ":\n" + lines;
    }
    const std::string accepted = accepted_line(report);
    if (!accepted.empty()) text += wrapped(accepted, 5);
    return text + drift_line(report) + "\n";
}

}  // namespace rope::io
