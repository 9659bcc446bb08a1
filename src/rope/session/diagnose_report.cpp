#include "rope/session/diagnose_report.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/diagnose/dump_evidence.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/session/other_judges.hpp"
#include "rope/session/session.hpp"

namespace rope {
namespace {

// Returns "1.37 times its tolerance", rounded up, or the error itself if the ratio is useless.
std::string size_of(const Finding& finding) {
    const double ratio = times_over(finding);
    if (ratio < 1e6) return decimal(std::ceil(100 * ratio) / 100) + " times its tolerance";
    return std::isfinite(finding.observed) ? "off by " + decimal(few_digits(finding.observed, 0.01))
                                           : "not finite";
}

std::string fact_of(const Finding& finding) {
    std::string fact = finding.check + ": ";
    if (finding.violations)
        fact += decimal(finding.violations->count) + " of " + decimal(finding.samples) +
                " values exceed their tolerance, first at position " +
                decimal(finding.violations->first_position) + ", pair " +
                decimal(finding.violations->first_pair) + "; ";
    fact += "the worst is " + size_of(finding);
    if (!finding.worst) return fact;
    const std::vector<double>& at = finding.worst->positions;
    fact += at.size() == 1 ? ", at position " : ", at positions ";
    fact += join(at, [](double position) { return decimal(position); });
    if (finding.worst->pair) fact += ", pair " + decimal(*finding.worst->pair);
    return fact;
}

// Returns the finding that another reading must explain, or nullptr if there is none.
const Finding* violated_one(const Report& report) {
    for (const std::string_view check : {"table-accuracy", "turn-rate"})
        if (const Finding* finding = find_finding(report, check);
            finding != nullptr && finding->verdict == Verdict::violated)
            return finding;
    return nullptr;
}

// Returns "llama.cpp f12cc6d0f (--reading ggml), mlx-lm d78bf58e (--reading mlx)".
std::string libraries_of(const OtherReading& other) {
    return join(other.by, [](const ReadBy& by) {
        return std::string(by.reading->library) + " (--reading " + std::string(by.reading->name) +
               ")";
    });
}

// Beyond float32's range of positions the verdict is not_applicable, however small the errors are.
bool explains_every_value(const Finding& finding) {
    return finding.verdict != Verdict::violated && finding.samples > 0 &&
           finding.observed <= finding.allowed;
}

// Returns whether there is no diagnosis, or only frequencies without a rule.
bool is_unexplained(const Report& report) {
    return report.diagnosis.empty() || report.diagnosis.front().mistake == "uninitialised";
}

Explanation explanation_of(const OtherReading& other, const Finding& before, const Finding& after) {
    return rope::explanation_of(
        named("config-reading", {{"reading", std::string(other.by.front().reading->name)}},
              {{"libraries", libraries_of(other)}}),
        times_over(before), times_over(after));
}

// Returns the positions at which checks failed.
std::vector<double> suspects(const Report& report) {
    std::vector<double> positions;
    for (const Finding& finding : report.findings) {
        if (finding.kind == Kind::claim || finding.verdict != Verdict::violated) continue;
        if (finding.violations) positions.push_back(finding.violations->first_position);
        if (finding.worst)
            positions.insert(positions.end(), finding.worst->positions.begin(),
                             finding.worst->positions.end());
    }
    return positions;
}

OddPairs pairs_of(const WrongRates& wrong) {
    OddPairs all{{}, true};
    for (const WrongRate& one : wrong.rates) {
        all.pairs.insert(all.pairs.end(), one.pairs.begin(), one.pairs.end());
        all.are_still = all.are_still && one.rotating == Rotating::not_at_all;
    }
    return all;
}

// Whether only turn-rate and table-accuracy failed, the latter in one of these pairs.
bool are_of_pairs(const Report& report, const OddPairs& wrong) {
    return std::ranges::all_of(report.findings, [&](const Finding& finding) {
        if (!is_fault(finding) || finding.check == "turn-rate") return true;
        return finding.check == "table-accuracy" && finding.worst && finding.worst->pair &&
               std::ranges::count(wrong.pairs, *finding.worst->pair) > 0;
    });
}

// Explains small errors that only the fastest pairs have, at large angles, where the search found
// no mistake that explains the values.
std::optional<Explanation> inaccurate_angles(const Report& report) {
    constexpr double least_angle = 1000, most_error = 0.25, least_ratio = 4;
    const Finding* table = find_finding(report, "table-accuracy");
    if (table == nullptr || !table->violations || !(table->observed <= most_error) ||
        table->observed < least_ratio * table->allowed)
        return std::nullopt;
    const Violations& wrong = *table->violations;
    const double from = std::abs(wrong.first_position),
                 angle = from * report.inv_freq[wrong.last_pair];
    if (wrong.first_pair != 0 || wrong.last_pair + 1 == report.inv_freq.size() ||
        angle < least_angle)
        return std::nullopt;
    std::vector<std::uint32_t> pairs(wrong.last_pair + 1);
    std::iota(pairs.begin(), pairs.end(), 0);
    return rope::explanation_of(
        named("angle-precision", {{"pairs", ranges(pairs, 4)}, {"from", from}},
              {{"are", of_pairs(pairs, " is", " are")},
               {"error", decimal(few_digits(table->observed, 0.01))},
               {"angle", decimal(few_digits(angle, 0.01))}}),
        times_over(*table), 0);
}

// Explains errors of at most a few float32 roundings of the angle, which grow with it, if also the
// pair with θ = 1 has them: its frequency has no rounding.
std::optional<Explanation> rounded_angles(const Report& report) {
    constexpr double least_angle = 1000, most_roundings = 8, least_ratio = 4;
    const Finding* table = find_finding(report, "table-accuracy");
    if (table == nullptr || !table->violations || !table->worst || !table->worst->pair ||
        table->violations->first_pair != 0 || report.inv_freq[0] != 1 ||
        table->observed < least_ratio * table->allowed)
        return std::nullopt;
    const double angle =
        std::abs(table->worst->positions[0]) * report.inv_freq[*table->worst->pair];
    const auto roundings = finding_field<double>(*table, "K");
    if (!roundings || !(*roundings > 0 && *roundings <= most_roundings) || angle < least_angle)
        return std::nullopt;
    return rope::explanation_of(
        named("angle-precision", {{"roundings", few_digits(*roundings, 0.01)}},
              {{"error", decimal(few_digits(table->observed, 0.01))},
               {"angle", decimal(few_digits(angle, 0.01))}}),
        times_over(*table), 0);
}

// Finds fewer mistakes with the tolerance of two rotations in float32, where one leaves values
// unexplained, or a second one and positions that undo it.
void take_as_moved(Diagnosis& found, Report& report, const Dump& dump, CheckFacts checked) {
    constexpr double usual_move = 1024;
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr || vectors->format != Format::float32 || !checked.exactness) return;
    if (found.explanations.empty())
        checked.keys_moved_by = likely_move(report.spec, *vectors);
    else if (found.explanations.size() > 1 &&
             std::ranges::count(found.explanations, "rotated-twice", &Explanation::mistake) > 0)
        checked.keys_moved_by = usual_move;
    if (checked.keys_moved_by == 0) return;
    checked.exactness->rounding *= 2;
    Diagnosis other = diagnose(report.spec, dump, checked);
    const std::size_t before = found.explanations.size(), after = other.explanations.size();
    if (before > 0 && (after == 0 || after >= before)) return;
    found = std::move(other);
    report.subject.notes.emplace_back(
        "the errors of the other values are those of vectors that were rotated twice in float32, "
        "such as keys that are moved in a cache");
}

}  // namespace

std::vector<std::string> failure_facts(const Report& report) {
    std::vector<std::string> facts;
    for (const Finding& finding : report.findings)
        if (is_fault(finding)) facts.push_back(fact_of(finding));
    return facts;
}

void take(Report& report, Diagnosis diagnosis) {
    report.diagnosis = std::move(diagnosis.explanations);
    report.observations = std::move(diagnosis.observations);
    report.unexplained = std::move(diagnosis.unexplained);
}

std::optional<WrongRates> wrong_rates_in(Report& report, const Dump& dump, Format table) {
    const auto rate = std::ranges::find(report.findings, "turn-rate", &Finding::check);
    if (rate == report.findings.end() || rate->verdict != Verdict::violated) return std::nullopt;
    const FrequencyPlan plan = plan_frequencies(report.spec, exact_precision);
    const SlowPairs slow(report.spec, plan, dump, table);
    WrongRates wrong = find_wrong_rates(slow, fit_rates(slow));
    rate->note = in_words(wrong, report.spec, slow.grid());
    return wrong;
}

std::optional<Spec> diagnose_into(Report& report, const Dump& dump, const Exactness& exactness,
                                  const std::optional<WrongRates>& wrong,
                                  const SessionOptions& options) {
    CheckFacts checked{suspects(report), exactness, options.threads, {}};
    if (wrong) checked.odd_pairs = pairs_of(*wrong);
    if (options.evidence) *options.evidence = evidence_of(report.spec, dump, checked);
    // errors within tolerance need no other cause
    const auto faults = std::ranges::count_if(report.findings, is_fault);
    if (faults == 0) return std::nullopt;
    const std::string rates = wrong ? find_finding(report, "turn-rate")->note : "";
    if (wrong && faults == 1) {
        Diagnosis named = name_wrong_rates(report, *wrong, rates);
        if (named.explanations.empty())
            if (auto by_axes = name_slow_axes(report.spec, dump, checked, *wrong); !by_axes.empty())
                named = {std::move(by_axes), {}};
        take(report, std::move(named));
        return std::nullopt;
    }
    Diagnosis found = diagnose(report.spec, dump, checked);
    take_as_moved(found, report, dump, checked);
    const std::optional<Spec> spec = found.spec;
    take(report, std::move(found));
    if (!report.diagnosis.empty()) return spec;
    // errors slightly above the tolerance of table-accuracy are below that of a diagnosis
    if (wrong && report.observations.empty() && are_of_pairs(report, checked.odd_pairs)) {
        Diagnosis named = name_wrong_rates(report, *wrong, rates);
        if (!named.explanations.empty()) {
            take(report, std::move(named));
            return std::nullopt;
        }
    }
    if (!wrong)
        for (const auto& way : {inaccurate_angles, rounded_angles})
            if (auto inaccurate = way(report)) {
                take(report, {{*std::move(inaccurate)}, {}});
                return std::nullopt;
            }
    if (report.observations.empty()) report.observations = failure_facts(report);
    const auto is_known = [](const WrongRate& one) { return one.rotating != Rotating::unknown; };
    if (wrong && std::ranges::any_of(wrong->rates, is_known))
        report.observations.insert(report.observations.begin(), rates);
    if (is_marginal(report))
        report.observations.emplace_back(
            "every error is as small as a few roundings of the dump's format: two rotations in a "
            "row (a shifted cache), a parameter that is slightly wrong, or a fault of pairs that "
            "hardly rotate look like this");
    return std::nullopt;
}

bool name_layers(Report& report, std::span<const std::pair<std::string, Spec>> others,
                 const JudgedBy& judged_by) {
    const Finding* before = violated_one(report);
    if (before == nullptr) return false;
    for (const auto& [layers, spec] : others) {
        if (spec.head_dim != report.spec.head_dim) continue;
        const Finding after = judged_by(spec);
        if (!explains_every_value(after)) continue;
        report.diagnosis = {rope::explanation_of(named("config-reading", {{"layers", layers}}),
                                                 times_over(*before), times_over(after))};
        report.observations.clear();
        return true;
    }
    return false;
}

void name_reading(Report& report, const ConfigFacts& facts, const JudgedBy& judged_by) {
    const Finding* before = violated_one(report);
    if (before == nullptr || !report.spec.reading.empty()) return;
    for (const OtherReading& other : compare_readings(report.spec, facts).others) {
        const Spec& spec = other.difference.difference.b;
        // it differs only in its layers, or is of other dumps
        if (other.difference.differing.empty() || spec.head_dim != report.spec.head_dim) continue;
        const Finding after = judged_by(spec);
        if (!explains_every_value(after)) continue;
        if (is_unexplained(report) || report.diagnosis.size() > 1) {
            report.diagnosis = {explanation_of(other, *before, after)};
            report.observations.clear();
            report.unexplained.clear();
        } else {
            report.diagnosis.front().equivalent.push_back("the config as read by " +
                                                          libraries_of(other));
        }
        return;
    }
}

namespace {

NamedMistake mistake_of(const CallFault& fault) {
    switch (fault.kind) {
        case CallFault::Kind::state:
            return named("state", {{"call", std::string("repeated")}});
        case CallFault::Kind::reused:
            return named("state", {{"call", std::string("other")}});
        case CallFault::Kind::mixed:
            return named("state", {{"mixes", fault.of == "entries" ? "batch entries" : fault.of}});
        case CallFault::Kind::ignored:
            return named("input", {{"ignored", fault.of}});
        case CallFault::Kind::modified:
            return named("input", {{"modified", fault.of}});
    }
    return {};
}

// Adds the finding of calls and what is wrong with them. Values that change from call to call, or
// that are not of x, have no other cause; a row that changes with other rows may have one, such as
// heads in another order.
void add_call_faults(Report& report, Finding calls, std::vector<CallFault> faults) {
    using enum CallFault::Kind;
    const auto has = [&](CallFault::Kind kind) {
        return std::ranges::count(faults, kind, &CallFault::kind) > 0;
    };
    if (has(state) || has(ignored) || !report.diagnosis.empty())
        std::erase_if(faults, [](const CallFault& fault) { return fault.kind == mixed; });
    const bool is_explained = has(state) || has(ignored) || has(mixed);
    if (is_explained || std::ranges::any_of(report.findings, is_fault))
        std::erase_if(faults, [&](const CallFault& fault) {
            return fault.kind == reused || (fault.kind == state && has(ignored));
        });
    if (faults.empty()) return;
    if (is_explained) {
        report.diagnosis.clear();
        report.observations.clear();
        report.unexplained.clear();
    }
    for (const CallFault& fault : faults) {
        report.diagnosis.push_back(explanation_of(mistake_of(fault), 0, 0, {}));
        calls.note += (calls.note.empty() ? "" : "; ") + report.diagnosis.back().what;
    }
    report.findings.insert(report.findings.begin(), std::move(calls));
}

}  // namespace

Report audit(Answers answers, const SessionOptions& options, const Pipeline* pipeline) {
    const Spec spec = answers.audit.spec;
    const Dump vectors = audited_vectors(answers);
    const Format format = answers.format;
    if (is_judged_by_pipeline(pipeline, vectors, options))
        return judge_by_pipeline(spec, vectors, *pipeline, options);
    const std::vector<CallFault> faults = answers.call_faults;
    const std::vector<std::string> rows = facts_of_rows(answers);
    const auto subject = audited_rows(std::move(answers), pipeline);
    Report report = judge(spec, *subject, options);
    std::optional<Finding> calls;
    if (const Finding* found = find_finding(report, calls_check); found && is_fault(*found)) {
        calls = *found;
        std::erase_if(report.findings,
                      [](const Finding& finding) { return finding.check == calls_check; });
    }
    // the diagnosis uses the probes or sequences, not the columns of R(m)
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    diagnose_into(report, vectors, rotation_exactness(spec, plan, format, pipeline),
                  wrong_rates_in(report, *subject->dumped(), subject->exactness().table), options);
    if (report.diagnosis.empty() && !report.observations.empty())
        report.observations.insert(report.observations.begin(), rows.begin(), rows.end());
    if (calls) add_call_faults(report, *std::move(calls), faults);
    return report;
}

}  // namespace rope
