#include "rope/judge/judge.hpp"

#include <algorithm>
#include <optional>
#include <thread>

#include "base/tasks.hpp"
#include "rope/comparison/sweep.hpp"
#include "rope/judge/registry.hpp"
#include "rope/subject/pipeline.hpp"

namespace rope {
namespace {

constexpr std::uint32_t part_pairs = 64;  // a tile of them stays in the second-level cache
constexpr std::uint64_t part_rows = 16384;

// What one task looks at. Parts depend on the trial alone, not on the threads that share them.
struct Part {
    PairRange pairs;
    RowRange rows;
};

std::vector<Part> parts_of(const Trial& trial) {
    const std::uint64_t rows = trial.subject.rows();
    std::vector<Part> parts;
    for (std::uint32_t first = 0, end = 0; first < trial.spec.pairs(); first = end) {
        end = std::min(first + part_pairs, trial.spec.pairs());
        if (trial.subject.has_several_axes())
            for (end = first + 1; end < trial.spec.pairs() && end < first + part_pairs; ++end)
                if (trial.axis[end] != trial.axis[first]) break;
        // rows of a dump may stand at one position all
        const std::uint64_t step =
            trial.subject.positions(trial.axis[first]).empty() ? part_rows : rows;
        for (std::uint64_t begin = 0; begin < rows; begin += step)
            parts.push_back({{first, end - first}, {begin, std::min(rows, begin + step)}});
    }
    return parts;
}

// A check of the table that this run performs.
struct Running {
    const Check* check;
    std::vector<std::unique_ptr<RowCheck>> rows;  // one per part
    Finding finding;
};

void observe(const Trial& trial, const Part& part, std::size_t k, std::span<Running> running) {
    std::vector<RowCheck*> checks;
    for (Running& run : running) {
        if (!run.check->make) continue;
        run.rows[k] = run.check->make(trial, part.pairs);
        checks.push_back(run.rows[k].get());
    }
    if (checks.empty()) return;
    Sweep(trial, part.pairs).run(part.rows, [&](const Tile& tile) {
        for (RowCheck* check : checks) check->observe(tile);
    });
    for (RowCheck* check : checks) check->settle();
}

std::vector<Running> start(const Trial& trial, const std::vector<std::string>& only) {
    for (const std::string& id : only) find_check(id);
    std::vector<Running> running;
    for (const Check& check : checks()) {
        const bool is_named = std::find(only.begin(), only.end(), check.id) != only.end();
        if (!is_named && (!only.empty() || (check.answers && !trial.subject.answers()))) continue;
        Finding finding;
        finding.check = check.id;
        finding.kind = check.kind;
        finding.statement = check.statement;
        finding.source = check.source;
        running.push_back({&check, {}, std::move(finding)});
    }
    return running;
}

// R(0) = a·I whatever the layout and the frequencies.
void withhold(Finding& finding) {
    if (finding.verdict != Verdict::holds) return;
    finding.verdict = Verdict::not_applicable;
    finding.note = "position 0 alone proves nothing";
}

void judge_answers(const Trial& trial, Running& run) {
    if (const Answers* answers = trial.subject.answers())
        run.check->answers(trial, *answers, run.finding);
    else
        run.finding.note = "only an audit of a program can tell";
    if (trial.context() == 1) withhold(run.finding);
}

// A check of rows merges its parts; the others look for themselves.
void settle(const Trial& trial, const Probe* probe, Running& run) {
    for (std::size_t k = 1; k < run.rows.size(); ++k) {
        run.rows[0]->merge(*run.rows[k]);
        run.rows[k].reset();
    }
    if (!run.rows.empty()) run.rows[0]->report_to(run.finding);
    if (run.check->probe) run.check->probe(trial, *probe, run.finding);
    if (run.check->settle) run.check->settle(trial, run.finding);
}

// Threads that pay: one takes tens of microseconds to start, and does a value in a few nanoseconds.
unsigned threads_of(const Trial& trial, unsigned asked) {
    if (asked != 0) return asked;
    const double values = static_cast<double>(trial.subject.rows()) * trial.spec.pairs();
    const double most = std::max(1U, std::thread::hardware_concurrency());
    return static_cast<unsigned>(std::clamp(values * 0x1p-20, 1.0, most));
}

void perform(const Trial& trial, std::span<Running> running, unsigned threads) {
    // claims first: they last longest and wait for nothing
    std::vector<Running*> claims, others;
    bool probes = false;
    for (Running& run : running) {
        (run.check->settle ? claims : others).push_back(&run);
        probes = probes || run.check->probe;
    }
    const bool sweeps = std::any_of(others.begin(), others.end(),
                                    [](const Running* run) { return run->check->make != nullptr; });
    const std::vector<Part> parts = sweeps ? parts_of(trial) : std::vector<Part>();
    for (Running* run : others)
        if (run->check->make) run->rows.resize(parts.size());

    std::optional<Probe> probe;
    run_tasks(claims.size() + 1 + parts.size(), threads, [&](std::size_t k) {
        if (k < claims.size()) settle(trial, nullptr, *claims[k]);
        if (k == claims.size() && probes) probe = make_probe(trial);
        if (k > claims.size()) {
            const std::size_t part = k - claims.size() - 1;
            observe(trial, parts[part], part, running);
        }
    });
    run_tasks(others.size(), threads,
              [&](std::size_t k) { settle(trial, probe ? &*probe : nullptr, *others[k]); });
}

void finish(const Trial& trial, std::span<Running> running) {
    const std::string pipeline = trial.subject.subject().pipeline;
    const std::string fault(pipeline.empty() ? "" : find_pipeline(pipeline).fault);
    for (Running& run : running) {
        if (run.check->answers) {
            judge_answers(trial, run);
            continue;
        }
        if (run.check->kind == Kind::claim) continue;
        if (run.finding.verdict == Verdict::violated) run.finding.note = fault;
        if (run.finding.samples == 0 && trial.subject.has_several_axes())
            run.finding.note = "rows stand at several positions at once";
        if (trial.context() == 1 && run.check->id != "identity-at-zero") withhold(run.finding);
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
    const Trial trial = make_trial(spec, plan, subject, options.seed);
    std::vector<Running> running = start(trial, options.only);
    perform(trial, running, threads_of(trial, options.threads));
    finish(trial, running);

    Report report;
    report.spec = spec;
    report.attention_factor = plan.attention_factor;
    for (const PlannedFrequency& pair : plan.pairs)
        report.inv_freq.push_back(pair.inv_freq.to_double());
    report.subject = subject.subject();
    report.subject.seed = options.seed;
    for (Running& run : running) report.findings.push_back(std::move(run.finding));
    return report;
}

}  // namespace rope
