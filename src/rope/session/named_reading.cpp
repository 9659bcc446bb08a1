#include "rope/session/named_reading.hpp"

#include "base/text.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/readings/readings.hpp"
#include "rope/report/report.hpp"

namespace rope {
namespace {

constexpr std::string_view mistake = "config-reading";

double times_over(const Finding& finding) { return finding.observed / finding.allowed; }

// What another reading has to mend; null where nothing is wrong.
const Finding* violated_one(const Report& report) {
    for (const std::string_view check : {"table-accuracy", "turn-rate"})
        if (const Finding* finding = find_finding(report, check);
            finding != nullptr && finding->verdict == Verdict::violated)
            return finding;
    return nullptr;
}

// "llama.cpp f12cc6d0f (--reading ggml), mlx-lm d78bf58e (--reading mlx)"
std::string libraries_of(const OtherReading& other) {
    return join(other.by, [](const ReadBy& by) {
        return std::string(by.reading->library) + " (--reading " + std::string(by.reading->name) +
               ")";
    });
}

// Beyond what float32 carries nothing is reported to hold, however small the error is.
bool explains_every_value(const Finding& finding) {
    return finding.verdict != Verdict::violated && finding.samples > 0 &&
           finding.observed <= finding.allowed;
}

// Nothing, or rates that follow no rule.
bool is_unexplained(const Report& report) {
    return report.diagnosis.empty() || report.diagnosis.front().mistake == "uninitialised";
}

Explanation explanation_of(const OtherReading& other, const Finding& before, const Finding& after) {
    return {.mistake = std::string(mistake),
            .parameters = {{"reading", std::string(other.by.front().reading->name)}},
            .what = "the config was read as by " + libraries_of(other),
            .before = times_over(before),
            .after = times_over(after),
            .advice = std::string(find_mistake(mistake).advice)};
}

}  // namespace

void name_reading(Report& report, const ConfigFacts& facts, const JudgedBy& judged_by) {
    const Finding* before = violated_one(report);
    if (before == nullptr || !report.spec.reading.empty()) return;
    for (const OtherReading& other : compare_readings(report.spec, facts).others) {
        if (other.difference.differing.empty()) continue;  // but for its layers
        const Finding after = judged_by(other.difference.difference.b);
        if (!explains_every_value(after)) continue;
        if (is_unexplained(report)) {
            report.diagnosis = {explanation_of(other, *before, after)};
            report.observations.clear();
        } else {
            report.diagnosis.front().equivalent.push_back("the config as read by " +
                                                          libraries_of(other));
        }
        return;
    }
}

}  // namespace rope
