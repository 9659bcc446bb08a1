#include "rope/judge/judge.hpp"

#include <algorithm>
#include <optional>

#include "base/decimal.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/judge/judge_tasks.hpp"
#include "rope/judge/registry.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope {
namespace {

// Whether the subject has anything for the check to look at, where others have not.
bool is_part(const Check& check, const Comparison& comparison) {
    const RowSource& subject = comparison.subject;
    if (check.needs_max_error) return comparison.max_error.has_value();
    if (check.is<CheckAnswers>()) return subject.answers() != nullptr;
    if (check.needs_16_bits)
        return subject.dumped() && is_in_16_bits(*subject.dumped(), subject.exactness().table);
    if (!check.needs_negative) return true;
    return std::ranges::any_of(subject.positions(0), [](double m) { return m < 0; });
}

std::vector<Running> start(const Comparison& comparison, const JudgeOptions& options) {
    const std::vector<std::string>& only = options.only;
    for (const std::string& id : only) find_check(id);
    std::vector<Running> running;
    for (const Check& check : checks()) {
        const bool is_named = std::find(only.begin(), only.end(), check.id) != only.end();
        if (!is_named && !options.claims && check.kind == Kind::claim) continue;
        if (!is_named && ((!only.empty() && !check.needs_max_error) || !is_part(check, comparison)))
            continue;
        running.push_back({&check, {}, finding_of(check)});
    }
    return running;
}

// R(0) = a·I whatever the layout and the frequencies.
void withhold(Finding& finding) {
    if (finding.verdict != Verdict::holds) return;
    finding.verdict = Verdict::not_applicable;
    finding.note = "position 0 alone proves nothing";
}

void judge_answers(const Comparison& comparison, CheckAnswers check, Running& run) {
    if (const Answers* answers = comparison.subject.answers())
        check(comparison, *answers, run.finding);
    else
        run.finding.note = "only an audit of a program can check this";
    if (comparison.context() == 1) withhold(run.finding);
}

// The worst and the first position of each check of all rows that is violated: what a few sampled
// rows would miss.
std::vector<double> suspects_of(std::span<const Running> running) {
    std::vector<double> suspects;
    for (const Running& run : running) {
        const Finding& finding = run.finding;
        if (!run.rows || finding.verdict != Verdict::violated || !finding.worst) continue;
        suspects.push_back(finding.worst->positions.front());
        if (finding.violations) suspects.push_back(finding.violations->first_position);
    }
    return suspects;
}

void conclude(const Comparison& comparison, const Sample* sample, Running& run) {
    if (const auto* check = std::get_if<CheckSample>(&run.check->run))
        (*check)(comparison, *sample, run.finding);
}

// As many threads as help: one takes tens of microseconds to start, and does a value in a few
// nanoseconds.
unsigned threads_of(const Spec& spec, const RowSource& subject, unsigned asked) {
    if (asked != 0) return asked;
    const double values = static_cast<double>(subject.rows()) * spec.pairs();
    const double most = machine_threads();
    return static_cast<unsigned>(std::clamp(values * 0x1p-20, 1.0, most));
}

void perform(const Comparison& comparison, std::span<Running> running, unsigned threads,
             TaskCount* count, ErrorMap* errors) {
    JudgeTasks tasks(comparison, running, errors, workers(threads), count);
    perform_all(tasks, threads);
    tasks.finish();
    std::vector<Running*> others;
    bool samples = false;
    for (Running& run : running) {
        if (run.rows) run.rows->report_to(run.finding);
        if (!run.check->is<JudgeClaim>()) others.push_back(&run);
        samples = samples || run.check->is<CheckSample>();
    }
    std::optional<Sample> sample;
    if (samples) sample = make_sample(comparison, suspects_of(running));
    // a check may have tasks for all ranks, which they are to meet in the same order
    run_tasks(
        others.size(), workers(1) > 1 ? 1 : threads,
        [&](std::size_t k) { conclude(comparison, sample ? &*sample : nullptr, *others[k]); },
        count);
}

// What float32 cannot carry does not hold, but is not violated either.
void withhold_uncarried(const Comparison& comparison, Running& run) {
    if (!run.check->grows_with_position || run.finding.verdict != Verdict::holds) return;
    const auto first = first_uncarried(comparison);
    if (!first) return;
    run.finding.verdict = Verdict::not_applicable;
    run.finding.fields.push_back({"carried_to", first->position - 1});
    run.finding.note = "float32 cannot carry positions beyond " + decimal(first->position - 1) +
                       ": rounding alone may move pair " + decimal(first->pair) +
                       " by a tenth of its radius";
}

// Rows go outward from 0.
double nearest_position(const Comparison& comparison) {
    const RowSource& subject = comparison.subject;
    double nearest = 0;
    for (std::uint32_t axis = 0; axis < axis_count(comparison.spec.axes) && subject.rows() > 0;
         ++axis)
        nearest = std::max(nearest, std::abs(subject.position_of(0, axis)));
    return nearest;
}

void finish(const Comparison& comparison, std::span<Running> running) {
    const std::string pipeline = comparison.subject.subject().pipeline;
    const std::string fault(pipeline.empty() ? "" : find_pipeline(pipeline).fault);
    for (Running& run : running) {
        if (const auto* check = std::get_if<CheckAnswers>(&run.check->run)) {
            judge_answers(comparison, *check, run);
            continue;
        }
        if (run.check->kind == Kind::claim) continue;
        if (run.finding.verdict == Verdict::violated && !fault.empty()) run.finding.note = fault;
        if (run.finding.samples == 0 && comparison.subject.has_several_axes())
            run.finding.note = "each row has several positions";
        if (comparison.context() == 1 && !run.check->says_something_at_zero) withhold(run.finding);
        withhold_uncarried(comparison, run);
    }
}

}  // namespace

std::vector<std::string_view> check_ids() {
    std::vector<std::string_view> ids;
    for (const Check& check : checks()) ids.push_back(check.id);
    return ids;
}

Report judge(const Spec& spec, const RowSource& subject, const JudgeOptions& options) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const unsigned threads = threads_of(spec, subject, options.threads);
    Comparison comparison = make_comparison(spec, plan, subject, options.seed, threads);
    comparison.max_error = options.max_error;
    std::vector<Running> running = start(comparison, options);
    if (options.errors) lay_out(*options.errors, comparison);
    perform(comparison, running, threads, options.tasks, options.errors);
    finish(comparison, running);

    Report report;
    report.spec = spec;
    report.attention_factor = plan.attention_factor;
    for (const PlannedFrequency& pair : plan.pairs)
        report.inv_freq.push_back(pair.inv_freq.to_double());
    report.subject = subject.subject();
    report.subject.seed = options.seed;
    report.subject.nearest_position = nearest_position(comparison);
    for (Running& run : running) report.findings.push_back(std::move(run.finding));
    return report;
}

}  // namespace rope
