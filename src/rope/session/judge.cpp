#include "rope/session/judge.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/error_map.hpp"
#include "rope/checks/report.hpp"
#include "rope/checks/sweep.hpp"
#include "rope/checks/turn_rate.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/suite/audit.hpp"

namespace rope {

std::span<const Check> checks() {
    using enum Kind;
    constexpr const char* he_xu = "He & Xu, property (c3)";
    // clang-format off
    static constexpr std::array table{
        // id                   kind          statement                                      source
        Check{"linearity",          law,         "y(m, x) = R(m)x",                               "RoFormer (16), §3.2.2",                check_linearity},
        Check{"structure",          law,         "R(m) mixes the two dimensions of a pair, no others", "RoFormer (15)",                  check_structure},
        Check{"calls",              law,         "equal calls return equal values and leave their arguments as they are", "a function of x and m", check_calls},
        Check{"table-accuracy",     conformance, "|ẑ − a·z| ≤ a·min(2, K·2⁻²⁴·mθ) + rounding",    "the config",                       make_table_accuracy, {}, {}, false, true},
        Check{"turn-rate",          conformance, "a slow pair rotates by r·mθ with r = 1",              "the config",                       check_turn_rate, {}, {}, false, false, false, false, true},
        Check{"max-error",          conformance, "|ẑ − a·z| ≤ E",                                 "--max-error",                    make_max_error, {}, {}, false, false, true},
        Check{"score-accuracy",     conformance, "⟨R(m)q, R(n)k⟩ is the exact score",             "the config",                       check_score_accuracy, {}, {}, false, true},
        Check{"identity-at-zero",   law,         "R(0) = a·I",                                    "He & Xu §3, θ_i = iθ̄₀; any rotation",     make_identity_at_zero, {}, {}, true},
        Check{"orthogonality",      law,         "R(m)ᵀR(m) = a²I",                               "RoFormer §3.2.2",                make_orthogonality},
        Check{"pair-norm",          law,         "|R(m)q| = a|q| in each pair",                   "RoFormer §3.3",                check_pair_norm},
        Check{"self-inner-product", law,         "⟨R(m)q, R(m)k⟩ = a²⟨q, k⟩",                     "He & Xu, property (c1)",         check_self_inner_product},
        Check{"composition",        law,         "R(m)R(n) = a·R(m + n)",                         "addition theorems; article 000 §3.2",                  check_composition, {}, {}, false, true},
        Check{"inverse",            law,         "R(−m) = R(m)ᵀ",                                 "RoFormer (15)",                  make_inverse, {}, {}, false, false, false, true},
        Check{"relative-position",  law,         "R(m)ᵀR(n) = a²R(n − m)",                        "He & Xu, property (c2); RoFormer (11)", make_relative_position, {}, {}, false, true},
        Check{"pass-through",       law,         "dimensions that do not rotate are untouched",        "partial rotary (GPT-J, GPT-NeoX)", check_pass_through},
        Check{"c3-R0",              claim,       "|r̂ − r| decreases, every q, k",                 he_xu, judge_c3_literal, "c3", "R0"},
        Check{"c3-R1",              claim,       "sθ mod 2π increases in every pair",             "He & Xu, Figures 1 and 2", judge_c3_angle, "c3", "R1"},
        Check{"c3-R2",              claim,       "cos sθ decreases in every pair",                he_xu, judge_c3_cosine, "c3", "R2"},
        Check{"c3-R3",              claim,       "|cos sθ| decreases in every pair",              he_xu, judge_c3_modulus, "c3", "R3"},
        Check{"c3-R4",              claim,       "Σ|q_i|²cos sθ_i decreases for every q",         he_xu, judge_c3_weighted_cosine, "c3", "R4"},
        Check{"score-decay",        claim,       "B(s) = Σcos sθ_i decreases",                    "RoFormer §3.3; arXiv 2405.14591", judge_score_decay},
        Check{"roformer-decay",     claim,       "(2/d)Σ|S_j(s)| decreases",                      "RoFormer §3.4.3",                judge_roformer_decay},
    };
    // clang-format on
    return table;
}

std::string_view check_named(std::string_view name) {
    for (const auto& [other, id] : other_check_names)
        if (name == other) return id;
    return name;
}

const Check& find_check(std::string_view id) { return one_of(checks(), &Check::id, "check", id); }

Finding finding_of(std::string_view id, const WorstCase& worst, std::string_view statement,
                   std::string_view source) {
    const Check& check = find_check(id);
    Finding finding;
    finding.check = check.id;
    finding.kind = check.kind;
    finding.statement = statement.empty() ? check.statement : statement;
    finding.source = source.empty() ? check.source : source;
    finding.claim = check.claim;
    finding.reading = check.reading;
    worst.report_to(finding);
    return finding;
}

void withhold(Finding& finding) {
    if (finding.verdict != Verdict::holds) return;
    finding.verdict = Verdict::not_applicable;
    finding.note = "position 0 is not rotated; give other positions";
}

namespace {

// A check in progress.
struct Running {
    const Check* check;
    std::unique_ptr<RowCheck> rows;
    Finding finding;
    bool is_reported = true;
};

// Returns whether a check of special subjects applies to this one.
bool is_part(const Check& check, const Comparison& comparison) {
    const RowSource& subject = comparison.subject;
    if (check.needs_max_error) return comparison.max_error.has_value();
    if (check.id == calls_check)
        return subject.answers() != nullptr &&
               (!subject.answers()->call_faults.empty() || subject.answers()->compared_rows > 0);
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
        running.push_back({&check, {}, finding_of(check.id)});
    }
    // checks of a sample also use the rows at which a check of all rows fails
    const auto is_of = [&]<class Run>(Run) {
        return std::ranges::any_of(running,
                                   [](const Running& run) { return run.check->is<Run>(); });
    };
    if (is_of(CheckSample{}) && !is_of(MakeRowCheck{}))
        for (const char* id : {"table-accuracy", "orthogonality"})
            running.push_back({&find_check(id), {}, finding_of(id), false});
    return running;
}

// R(0) = a·I holds for every layout and all frequencies, so position 0 proves nothing. Rows are in
// the order of their distance from 0.
bool shows_no_rotation(const Comparison& comparison) {
    return comparison.context() == 1 &&
           comparison.subject.is_at_zero(comparison.subject.rows() - 1, 0);
}

void judge_answers(const Comparison& comparison, CheckAnswers check, Running& run) {
    if (const Answers* answers = comparison.subject.answers())
        check(comparison, *answers, run.finding);
    else
        run.finding.note = "only an audit of a program can check this";
    if (shows_no_rotation(comparison)) withhold(run.finding);
}

// Returns the worst and the first position of each violated check of all rows, which a small sample
// would miss.
std::vector<double> suspects_of(std::span<const Running> running) {
    std::vector<double> suspects;
    for (const Running& run : running) {
        const Finding& finding = run.finding;
        const bool is_of_rows = run.rows && !run.check->needs_max_error;
        if (!is_of_rows || finding.verdict != Verdict::violated || !finding.worst) continue;
        suspects.push_back(finding.worst->positions.front());
        if (finding.violations) suspects.push_back(finding.violations->first_position);
    }
    return suspects;
}

// Returns a number of threads: starting one takes tens of microseconds, a value a few nanoseconds.
unsigned threads_of(const Spec& spec, const RowSource& subject, unsigned asked) {
    if (asked != 0) return asked;
    const double values = static_cast<double>(subject.rows()) * spec.pairs();
    const double most = machine_threads();
    return static_cast<unsigned>(std::clamp(values * 0x1p-20, 1.0, most));
}

RowChecks observe(const Comparison& comparison, const Block& block,
                  std::span<Running* const> running, std::span<ErrorMap* const> errors) {
    RowChecks checks;
    for (const Running* run : running)
        checks.push_back(std::get<MakeRowCheck>(run->check->run)(comparison, block.pairs));
    for (ErrorMap* map : errors) checks.push_back(make_error_map(*map, comparison, block.pairs));
    Sweep(comparison, block.pairs).run(block.rows, [&](const Tile& tile) {
        for (const auto& check : checks) check->observe(tile);
    });
    return checks;
}

// Runs claims first, which take longest and depend on nothing, then the blocks of rows.
void observe_all(const Comparison& comparison, std::span<Running> running, unsigned threads,
                 TaskCount* count, std::span<ErrorMap* const> errors) {
    std::vector<Running*> claims, of_rows;
    for (Running& run : running) {
        if (run.check->is<JudgeClaim>()) claims.push_back(&run);
        if (run.check->is<MakeRowCheck>()) of_rows.push_back(&run);
    }
    const std::vector<Block> blocks = blocks_of(comparison);
    const bool has_rows = !errors.empty() || !of_rows.empty();
    OrderedMerge merge;
    run_tasks(
        claims.size() + (has_rows ? blocks.size() : 0), threads,
        [&](std::size_t k) {
            if (k < claims.size())
                std::get<JudgeClaim>(claims[k]->check->run)(comparison, claims[k]->finding);
            else
                merge.add(k - claims.size(),
                          observe(comparison, blocks[k - claims.size()], of_rows, errors));
        },
        count);
    RowChecks merged = merge.take();
    for (std::size_t c = 0; c < of_rows.size(); ++c) of_rows[c]->rows = std::move(merged[c]);
    Finding none;
    for (std::size_t c = of_rows.size(); c < merged.size(); ++c) merged[c]->report_to(none);
}

void perform(const Comparison& comparison, std::span<Running> running, unsigned threads,
             TaskCount* count, std::span<ErrorMap* const> errors) {
    observe_all(comparison, running, threads, count, errors);
    std::vector<Running*> others;
    bool samples = false;
    for (Running& run : running) {
        if (run.rows) run.rows->report_to(run.finding);
        if (!run.check->is<JudgeClaim>()) others.push_back(&run);
        samples = samples || run.check->is<CheckSample>();
    }
    std::optional<Sample> sample;
    if (samples) sample = make_sample(comparison, suspects_of(running));
    run_tasks(
        others.size(), threads,
        [&](std::size_t k) {
            if (const auto* check = std::get_if<CheckSample>(&others[k]->check->run))
                (*check)(comparison, *sample, others[k]->finding);
        },
        count);
}

// Makes checks not applicable beyond the positions that float32 can represent.
void withhold_uncarried(const Comparison& comparison, Running& run) {
    if (!run.check->grows_with_position || run.finding.verdict != Verdict::holds) return;
    const auto first = first_uncarried(comparison);
    if (!first) return;
    run.finding.verdict = Verdict::not_applicable;
    run.finding.fields.push_back({"carried_to", first->position - 1});
    run.finding.note = "beyond position " + grouped(first->position - 1) +
                       " the tolerance of a float32 angle exceeds 0.1 radians (pair " +
                       decimal(first->pair) + ")";
}

// Rows are ordered by |position|.
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
        if (shows_no_rotation(comparison) && !run.check->applies_at_position_zero)
            withhold(run.finding);
        withhold_uncarried(comparison, run);
    }
}

}  // namespace

void add_frequencies(Report& report, const FrequencyPlan& plan) {
    report.attention_factor = plan.attention_factor;
    report.inv_freq = plan.inv_freq();
}

Report judge(const Spec& spec, const RowSource& subject, const JudgeOptions& options) {
    const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
    const unsigned threads = threads_of(spec, subject, options.threads);
    Comparison comparison = make_comparison(spec, plan, subject, options.seed, threads);
    comparison.max_error = options.max_error;
    std::vector<Running> running = start(comparison, options);
    for (ErrorMap* map : options.errors) lay_out(*map, comparison);
    perform(comparison, running, threads, options.tasks, options.errors);
    finish(comparison, running);

    Report report;
    report.spec = spec;
    add_frequencies(report, plan);
    report.subject = subject.subject();
    report.subject.rounding = subject.exactness().rounding;
    report.subject.seed = options.seed;
    if (options.digest && !report.subject.pipeline.empty())
        report.subject.digest = digest_of(subject, spec.pairs());
    report.subject.nearest_position = nearest_position(comparison);
    for (Running& run : running)
        if (run.is_reported) report.findings.push_back(std::move(run.finding));
    return report;
}

void OrderedMerge::add(std::uint64_t k, RowChecks checks) {
    const std::lock_guard lock(mutex_);
    waiting_.emplace(k, std::move(checks));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; ++next_) {
        if (next_ == 0)
            merged_ = std::move(first->second);
        else
            for (std::size_t c = 0; c < merged_.size(); ++c) merged_[c]->merge(*first->second[c]);
        first = waiting_.erase(first);
    }
}

}  // namespace rope
