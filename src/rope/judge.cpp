#include "rope/judge.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "rope/check.hpp"
#include "rope/pipeline.hpp"
#include "rope/table.hpp"

namespace rope {
namespace {

constexpr std::uint32_t chunk_pairs = 64;  // a tile of them stays in the second-level cache

// A check of the table that this run performs.
struct Running {
    const Check* check;
    std::unique_ptr<RowCheck> rows;
    Finding finding;
};

// One range of pairs over every row, 32 rows at a time; nothing is kept but what checks keep.
void sweep_pairs(const Trial& trial, PairRange pairs, std::span<Running> running) {
    const TruthRows truth(trial.plan, pairs.first, pairs.count);
    const auto own_first = trial.own_inv_freq.begin() + pairs.first;
    const bool own_is_truth = std::equal(
        own_first, own_first + pairs.count, trial.plan.pairs.begin() + pairs.first,
        [](const BigReal& own, const PlannedFrequency& pair) { return own == pair.inv_freq; });
    std::vector<TurnRate> own_rates;
    for (std::uint32_t i = 0; i < pairs.count; ++i)
        own_rates.push_back(turn_rate(trial.own_inv_freq[pairs.first + i]));
    const ExactRows own(std::move(own_rates));
    const auto reader = trial.subject.read(pairs);

    const std::size_t n = tile_rows * pairs.count;
    std::vector<double> cos(n), sin(n), true_cos(n), true_sin(n), own_cos(n), own_sin(n);
    std::vector<std::uint64_t> rows, positions;
    for (std::uint64_t begin = 0; begin < trial.subject.rows(); begin += tile_rows) {
        rows.clear();
        positions.clear();
        const std::uint64_t end = std::min(trial.subject.rows(), begin + tile_rows);
        for (std::uint64_t row = begin; row < end; ++row) {
            rows.push_back(row);
            positions.push_back(trial.subject.position_of(row, trial.axis[pairs.first]));
        }
        reader->fill(rows, cos.data(), sin.data());
        truth.exact().fill(positions, true_cos.data(), true_sin.data());
        const bool read_own = reader->own_cos() != nullptr;
        if (!own_is_truth && !read_own) own.fill(positions, own_cos.data(), own_sin.data());
        const Tile tile{positions,
                        pairs,
                        cos.data(),
                        sin.data(),
                        true_cos.data(),
                        true_sin.data(),
                        own_is_truth ? true_cos.data()
                        : read_own   ? reader->own_cos()
                                     : own_cos.data(),
                        own_is_truth ? true_sin.data()
                        : read_own   ? reader->own_sin()
                                     : own_sin.data()};
        for (Running& run : running)
            if (run.rows) run.rows->observe(tile);
    }
}

void sweep(const Trial& trial, std::span<Running> running) {
    if (std::none_of(running.begin(), running.end(),
                     [](const Running& run) { return run.rows != nullptr; }))
        return;
    for (std::uint32_t first = 0, end = 0; first < trial.spec.pairs(); first = end) {
        end = std::min(first + chunk_pairs, trial.spec.pairs());
        if (trial.subject.has_several_axes())
            for (end = first + 1; end < trial.spec.pairs() && end < first + chunk_pairs; ++end)
                if (trial.axis[end] != trial.axis[first]) break;
        sweep_pairs(trial, {first, end - first}, running);
    }
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
        running.push_back({&check, check.make ? check.make(trial) : nullptr, std::move(finding)});
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

void finish(const Trial& trial, std::span<Running> running) {
    const std::string pipeline = trial.subject.subject().pipeline;
    const std::string fault(pipeline.empty() ? "" : find_pipeline(pipeline).fault);
    std::optional<Probe> probe;
    for (Running& run : running) {
        if (run.rows) run.rows->report_to(run.finding);
        if (run.check->probe) {
            if (!probe) probe = make_probe(trial);
            run.check->probe(trial, *probe, run.finding);
        }
        if (run.check->settle) run.check->settle(trial, run.finding);
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
    sweep(trial, running);
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
