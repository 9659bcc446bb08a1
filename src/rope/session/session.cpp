#include "rope/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/dump_evidence.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/readings/readings.hpp"
#include "rope/report/report.hpp"
#include "rope/session/judge.hpp"
#include "rope/session/replays.hpp"
#include "rope/subject/dump.hpp"
#include "rope/subject/emulate.hpp"
#include "rope/subject/row_source.hpp"

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

// Finds the reading of the config, by another library, that explains a dump.

// Returns the table-accuracy of the dump with another Spec, violated if its turn-rate is.
using JudgedBy = std::function<Finding(const Spec& spec)>;

constexpr std::string_view mistake = "config-reading";

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
        named(mistake, {{"reading", std::string(other.by.front().reading->name)}},
              {{"libraries", libraries_of(other)}}),
        times_over(before), times_over(after));
}

// If table-accuracy or turn-rate is violated, adds the readings of the config for which every value
// holds: as equivalents of a diagnosis by one mistake, else as the diagnosis.
void name_reading(Report& report, const ConfigFacts& facts, const JudgedBy& judged_by) {
    const Finding* before = violated_one(report);
    if (before == nullptr || !report.spec.reading.empty()) return;
    for (const OtherReading& other : compare_readings(report.spec, facts).others) {
        if (other.difference.differing.empty()) continue;  // it differs only in its layers
        const Finding after = judged_by(other.difference.difference.b);
        if (!explains_every_value(after)) continue;
        if (is_unexplained(report) || report.diagnosis.size() > 1) {
            report.diagnosis = {explanation_of(other, *before, after)};
            report.observations.clear();
        } else {
            report.diagnosis.front().equivalent.push_back("the config as read by " +
                                                          libraries_of(other));
        }
        return;
    }
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

void take(Report& report, Diagnosis diagnosis) {
    report.diagnosis = std::move(diagnosis.explanations);
    report.observations = std::move(diagnosis.observations);
}

// If turn-rate failed, finds which pairs rotate wrongly and writes it to the finding's note.
std::optional<WrongRates> wrong_rates_in(Report& report, const Dump& dump, Format table) {
    const auto rate = std::ranges::find(report.findings, "turn-rate", &Finding::check);
    if (rate == report.findings.end() || rate->verdict != Verdict::violated) return std::nullopt;
    const FrequencyPlan plan = plan_frequencies(report.spec, exact_precision);
    const SlowPairs slow(report.spec, plan, dump, table);
    WrongRates wrong = find_wrong_rates(slow, fit_rates(slow));
    rate->note = in_words(wrong, report.spec, slow.grid());
    return wrong;
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

// Finds fewer mistakes with the tolerance of two rotations in float32, where one leaves values
// unexplained, or a second one and positions that undo it.
void take_as_moved(Diagnosis& found, Report& report, const Dump& dump, CheckOutcome judgement) {
    constexpr double usual_move = 1024;
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr || vectors->format != Format::float32 || !judgement.exactness) return;
    if (found.explanations.empty())
        judgement.moved = likely_move(report.spec, *vectors);
    else if (found.explanations.size() > 1 &&
             std::ranges::count(found.explanations, "rotated-twice", &Explanation::mistake) > 0)
        judgement.moved = usual_move;
    if (judgement.moved == 0) return;
    judgement.exactness->rounding *= 2;
    Diagnosis other = diagnose(report.spec, dump, judgement);
    const std::size_t before = found.explanations.size(), after = other.explanations.size();
    if (before > 0 && (after == 0 || after >= before)) return;
    found = std::move(other);
    report.subject.notes.emplace_back(
        "the errors of the other values are those of vectors that were rotated twice in float32, "
        "such as keys that are moved in a cache");
}

// Diagnoses the failures of the report and adds the result to it. Returns the Spec by which the
// dump rotates apart from the named mistakes, if the diagnosis has one.
std::optional<Spec> diagnose_into(Report& report, const Dump& dump, const Exactness& exactness,
                                  const std::optional<WrongRates>& wrong,
                                  const SessionOptions& options) {
    CheckOutcome judgement{suspects(report), exactness, options.threads, {}};
    if (wrong) judgement.odd_pairs = pairs_of(*wrong);
    if (options.evidence) *options.evidence = evidence_of(report.spec, dump, judgement);
    // errors within tolerance need no other cause
    const auto faults = std::ranges::count_if(report.findings, is_fault);
    if (faults == 0) return std::nullopt;
    const std::string rates = wrong ? find_finding(report, "turn-rate")->note : "";
    if (wrong && faults == 1) {
        Diagnosis named = name_wrong_rates(report, *wrong, rates);
        if (named.explanations.empty())
            if (auto by_axes = name_slow_axes(report.spec, dump, judgement, *wrong);
                !by_axes.empty())
                named = {std::move(by_axes), {}};
        take(report, std::move(named));
        return std::nullopt;
    }
    Diagnosis found = diagnose(report.spec, dump, judgement);
    take_as_moved(found, report, dump, judgement);
    const std::optional<Spec> spec = found.spec;
    take(report, std::move(found));
    if (!report.diagnosis.empty()) return spec;
    // errors slightly above the tolerance of table-accuracy are below that of a diagnosis
    if (wrong && report.observations.empty() && are_of_pairs(report, judgement.odd_pairs)) {
        Diagnosis named = name_wrong_rates(report, *wrong, rates);
        if (!named.explanations.empty()) {
            take(report, std::move(named));
            return std::nullopt;
        }
    }
    if (!wrong)
        if (auto inaccurate = inaccurate_angles(report)) {
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

// Reports on a dump whose dimensions differ from the Spec's, which has no comparable rows.
Report judge_width(const Spec& spec, const Dump& dump, const SessionOptions& options) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    Report report = report_on(spec, plan, dump, Subject{}.seed);
    Finding finding = finding_of("table-accuracy");
    finding.verdict = Verdict::violated;
    finding.observed = std::numeric_limits<double>::infinity();
    if (const auto rows = rows_of(dump)) finding.samples = rows->positions.size();
    const bool is_vectors = std::holds_alternative<RotatedDump>(dump);
    finding.note = "it is " + decimal(dimensions_of(dump)) + " dimensions wide; the config's " +
                   (is_vectors ? "head_dim is " + decimal(spec.head_dim)
                               : "rotary_dim is " + decimal(spec.rotary_dim));
    report.findings.push_back(std::move(finding));
    const CheckOutcome judgement{{}, {}, options.threads};
    if (options.evidence) *options.evidence = evidence_of(spec, dump, judgement);
    take(report, diagnose(spec, dump, judgement));
    return report;
}

std::unique_ptr<RowSource> rows_of(const Spec& spec, const Dump& dump, const CompareOptions& how) {
    if (const auto* table = std::get_if<TableDump>(&dump))
        return table_rows(spec, *table, how.pipeline);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        return rotated_rows(spec, *vectors, how.pipeline);
    return frequency_rows(spec, std::get<FrequencyDump>(dump),
                          how.context != 0 ? how.context : spec.max_position_embeddings,
                          how.pipeline);
}

Report judge_subject(const Spec& spec, const RowSource& subject, const SessionOptions& options) {
    Report report = judge(spec, subject, options);
    if (options.digest && !report.subject.pipeline.empty())
        report.subject.digest = digest_of(subject, spec.pairs());
    return report;
}

// Returns whether the dump is compared with the pipeline's values.
bool is_replayed(const Pipeline* pipeline, const Dump& dump, const SessionOptions& options) {
    return pipeline && !options.max_error && is_reproducible(*pipeline) &&
           has_table_positions(dump);
}

// Values that are not the pipeline's are diagnosed as those of an unknown implementation.
Report judge_replayed(const Spec& spec, const Dump& dump, const Pipeline& pipeline,
                      const SessionOptions& options) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const Exactness exactness = exactness_of(spec, plan, dump, nullptr);
    Report report = judge_by_pipeline(spec, dump, pipeline, options);
    diagnose_into(report, dump, exactness, wrong_rates_in(report, dump, pipeline.table), options);
    return report;
}

// A second rounding increases an error to at most this multiple of the tolerance for one.
constexpr double most_of_two_roundings = 4;

// Returns whether more roundings may explain all faults; an earlier rotation affects position 0.
bool may_be_rounded(const Report& report, Roundings roundings) {
    const Finding* zero = find_finding(report, "identity-at-zero");
    const bool moves_at_zero = zero != nullptr && is_fault(*zero);
    const bool has_zero = zero != nullptr && zero->samples > 0;
    if (roundings == Roundings::of_inputs ? moves_at_zero : has_zero && !moves_at_zero)
        return false;
    // pairs whose rate one rounding determines exactly are affected most by a second one
    const auto is_open = [&](const Finding& finding) {
        return &finding == zero || (moves_at_zero && finding.check == "turn-rate");
    };
    return std::ranges::all_of(report.findings, [&](const Finding& finding) {
        return !is_fault(finding) || is_open(finding) ||
               finding.observed <= most_of_two_roundings * finding.allowed;
    });
}

// Returns the report with the fewest roundings that explain every value, if more than one.
std::optional<Report> judge_rounded(const Report& once, const RotatedDump& vectors,
                                    const CompareOptions& how, const SessionOptions& options) {
    if (std::ranges::none_of(once.findings, is_fault)) return std::nullopt;
    std::optional<bool> are_independent;
    for (const Roundings roundings : {Roundings::of_inputs, Roundings::twice}) {
        if (!may_be_rounded(once, roundings)) continue;
        if (!are_independent) are_independent = are_independent_roundings(once.spec, vectors);
        if (!*are_independent) return std::nullopt;
        RotatedDump other = vectors;
        other.roundings = roundings;
        Report report = judge_subject(once.spec, *rows_of(once.spec, other, how), options);
        if (std::ranges::none_of(report.findings, is_fault)) return report;
    }
    return std::nullopt;
}

// Returns the report of float32 vectors that two rotations explain and one does not.
std::optional<Report> judge_moved(const Report& once, const RotatedDump& vectors,
                                  const SessionOptions& options) {
    if (std::ranges::none_of(once.findings, is_fault) || options.max_error) return std::nullopt;
    const Finding* passed = find_finding(once, "pass-through");
    if (passed != nullptr && is_fault(*passed)) return std::nullopt;
    const auto moved = find_moved_keys(once.spec, vectors);
    if (!moved) return std::nullopt;
    Report report = once;
    std::erase_if(report.findings, [](const Finding& finding) {
        return finding.check != "table-accuracy" && finding.check != "pass-through";
    });
    for (Finding& finding : report.findings)
        if (finding.check == "table-accuracy")
            finding = finding_of("table-accuracy", moved->errors,
                                 "|y − R(m)x| ≤ the roundings of two rotations in float32");
    report.subject.notes.push_back(
        "the errors are those of vectors that were rotated twice in float32, such as keys that "
        "are moved in a cache by " +
        decimal(moved->move) + " positions or more: checked with the tolerance of both rotations");
    return report;
}

// Returns the table-accuracy with another Spec, violated if its turn-rate is.
Finding accuracy_by(const Spec& spec, const Dump& dump, const CompareOptions& how,
                    SessionOptions options) {
    options.only = {"table-accuracy", "turn-rate"};
    options.max_error.reset();
    options.tasks = nullptr;
    if (std::uint64_t{spec.pairs()} * 2 != dimensions_of(dump) &&
        !std::holds_alternative<RotatedDump>(dump))
        return {};
    const auto all = with_fourth_axis(spec, dump);
    const Dump& whole = all ? *all : dump;
    Report report = judge(spec, *rows_of(spec, whole, how), options);
    if (const auto* vectors = std::get_if<RotatedDump>(&whole))
        if (auto rounded = judge_rounded(report, *vectors, how, options))
            report = *std::move(rounded);
    Finding accuracy = *find_finding(report, "table-accuracy");
    if (find_finding(report, "turn-rate")->verdict == Verdict::violated)
        accuracy.verdict = Verdict::violated;
    return accuracy;
}

void require_judgeable(const Spec& spec) {
    if (spec.head_dim > widest_judged_head)
        throw InputError("head_dim", decimal(spec.head_dim),
                         "at most " + decimal(widest_judged_head) + " to check");
}

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
    }
    for (const CallFault& fault : faults) {
        report.diagnosis.push_back(explanation_of(mistake_of(fault), 0, 0, {}));
        calls.note += (calls.note.empty() ? "" : "; ") + report.diagnosis.back().what;
    }
    report.findings.insert(report.findings.begin(), std::move(calls));
}

}  // namespace

std::vector<std::string> failure_facts(const Report& report) {
    std::vector<std::string> facts;
    for (const Finding& finding : report.findings)
        if (is_fault(finding)) facts.push_back(fact_of(finding));
    return facts;
}

Report verify(const Spec& spec, const Pipeline& pipeline, std::uint64_t context,
              const SessionOptions& options) {
    require_judgeable(spec);
    if (context > most_verified / spec.pairs())
        throw InputError("--context",
                         decimal(context) + " with " + decimal(spec.pairs()) + " pairs",
                         "at most " + decimal(most_verified / spec.pairs()));
    return judge_subject(spec, *emulate(spec, pipeline, context), options);
}

Report compare(const Spec& spec, const Dump& dump, const CompareOptions& how,
               const SessionOptions& options) {
    require_judgeable(spec);
    if (const auto all = with_fourth_axis(spec, dump)) return compare(spec, *all, how, options);
    if (spec.rotary_dim == 0) return judge_stillness(spec, dump, options);
    const bool is_vectors = std::holds_alternative<RotatedDump>(dump);
    if (dimensions_of(dump) != (is_vectors ? spec.head_dim : spec.rotary_dim))
        return judge_width(spec, dump, options);
    if (is_replayed(how.pipeline, dump, options))
        return judge_replayed(spec, dump, *how.pipeline, options);
    if (how.pipeline == nullptr && !options.max_error && options.only.empty())
        if (auto printed = judge_printed(spec, dump)) return *std::move(printed);
    const auto subject = rows_of(spec, dump, how);
    Report report = judge_subject(spec, *subject, options);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) {
        auto other = judge_rounded(report, *vectors, how, options);
        if (!other) other = judge_moved(report, *vectors, options);
        if (other) return *std::move(other);
    }
    const auto fitted =
        diagnose_into(report, dump, subject->exactness(),
                      wrong_rates_in(report, dump, subject->exactness().table), options);
    if (how.is_assumed && fitted && is_sound(*fitted) && !rotate_alike(*fitted, spec)) {
        CompareOptions as_fitted = how;
        as_fitted.is_assumed = false;
        return compare(*fitted, dump, as_fitted, options);
    }
    name_reading(report, how.facts.value_or(facts_of(spec)),
                 [&](const Spec& other) { return accuracy_by(other, dump, how, options); });
    return report;
}

bool rotates_by(const Spec& spec, const Dump& dump) {
    return accuracy_by(spec, dump, {}, {}).verdict != Verdict::violated;
}

Identity identify_judged(const Dump& dump, std::span<const Spec> known) {
    return identify(dump, known, [&](const Spec& spec) { return rotates_by(spec, dump); });
}

Report audit(Answers answers, const SessionOptions& options, const Pipeline* pipeline) {
    const Spec spec = answers.audit.spec;
    const Dump vectors = audited_vectors(answers);
    const Format format = answers.format;
    if (is_replayed(pipeline, vectors, options))
        return judge_replayed(spec, vectors, *pipeline, options);
    const std::vector<CallFault> faults = answers.call_faults;
    const std::vector<std::string> rows = facts_of_rows(answers);
    const auto subject = audited_rows(std::move(answers), pipeline);
    Report report = judge_subject(spec, *subject, options);
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
