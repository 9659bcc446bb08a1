#include "rope/session/session.hpp"

#include <algorithm>
#include <limits>

#include "base/decimal.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/dump_evidence.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/session/diagnose_report.hpp"
#include "rope/session/other_judges.hpp"

namespace rope {
namespace {

std::unique_ptr<RowSource> rows_of(const Spec& spec, const Dump& dump, const CompareOptions& how,
                                   unsigned threads) {
    if (const auto* table = std::get_if<TableDump>(&dump))
        return table_rows(spec, *table, how.pipeline, threads);
    if (const auto* vectors = std::get_if<RotatedDump>(&dump))
        return rotated_rows(spec, *vectors, how.pipeline, threads);
    return frequency_rows(spec, std::get<FrequencyDump>(dump),
                          how.context != 0 ? how.context : spec.max_position_embeddings,
                          how.pipeline);
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
        Report report = judge(once.spec, *rows_of(once.spec, other, how, options.threads), options);
        if (std::ranges::none_of(report.findings, is_fault)) return report;
    }
    return std::nullopt;
}

// Returns the table-accuracy with another Spec, violated if its turn-rate is.
Finding accuracy_by(const Spec& spec, const Dump& dump, const CompareOptions& how,
                    SessionOptions options) {
    options.only = {"table-accuracy", "turn-rate"};
    options.max_error.reset();
    options.digest = false;
    options.tasks = nullptr;
    if (std::uint64_t{spec.pairs()} * 2 != dimensions_of(dump) &&
        !std::holds_alternative<RotatedDump>(dump))
        return {};
    const auto all = with_fourth_axis(spec, dump);
    const Dump& whole = all ? *all : dump;
    Report report = judge(spec, *rows_of(spec, whole, how, options.threads), options);
    if (const auto* vectors = std::get_if<RotatedDump>(&whole))
        if (auto rounded = judge_rounded(report, *vectors, how, options))
            report = *std::move(rounded);
    Finding accuracy = *find_finding(report, "table-accuracy");
    if (find_finding(report, "turn-rate")->verdict == Verdict::violated)
        accuracy.verdict = Verdict::violated;
    return accuracy;
}

// Returns whether a pair of some rows is half a radian off its angle, which no arithmetic explains:
// most wrong Specs, without a comparison of all rows.
bool is_refuted_by_a_row(const Spec& spec, const Dump& dump) {
    constexpr std::size_t most = 8;
    constexpr double most_off = 0.5, largest_angle = 1024;
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    const auto rows = rope::rows_of(dump);
    const std::uint64_t dimensions = vectors != nullptr ? spec.head_dim : spec.rotary_dim;
    if (!rows || dimensions_of(dump) != dimensions || with_fourth_axis(spec, dump) ||
        (vectors != nullptr && vectors->scale_rounding != 0))
        return false;
    const std::vector<double> theta = frequencies_of(spec).theta;
    const std::vector<std::uint32_t> axis = axis_of_pairs(spec.axes, spec.pairs());
    PairReader pairs = pair_reader(spec, dump);
    const std::uint64_t count = rows->positions.size();
    for (std::uint64_t k = 0; k < std::min<std::uint64_t>(count, most); ++k) {
        const std::uint64_t row = sampled_row(k, count, most);
        pairs.read(row);
        for (std::uint32_t i = 0; i < spec.pairs(); ++i) {
            const auto [x1, x2, y1, y2] = pairs[i];
            const double along = x1 * y1 + x2 * y2, across = x1 * y2 - x2 * y1;
            const double angle = theta[i] * rows->on(axis[i])[row];
            // below the normal numbers of a format, rounding errors are absolute
            const bool is_normal = std::abs(x1) + std::abs(x2) > 0x1p-6;
            if (is_normal && std::abs(angle) < largest_angle && std::isfinite(along + across) &&
                std::abs(std::remainder(portable::atan2(across, along) - angle, full_turn)) >
                    most_off)
                return true;
        }
    }
    return false;
}

void require_judgeable(const Spec& spec) {
    if (spec.head_dim > widest_judged_head)
        throw InputError("head_dim", decimal(spec.head_dim),
                         "at most " + decimal(widest_judged_head) + " to check");
}

}  // namespace

Report verify(const Spec& spec, const Pipeline& pipeline, std::uint64_t context,
              const SessionOptions& options) {
    require_judgeable(spec);
    if (context > most_verified / spec.pairs())
        throw InputError("--context",
                         decimal(context) + " with " + decimal(spec.pairs()) + " pairs",
                         "at most " + decimal(most_verified / spec.pairs()));
    return judge(spec, *emulate(spec, pipeline, context), options);
}

Report compare(const Spec& spec, const Dump& dump, const CompareOptions& how,
               const SessionOptions& options) {
    require_judgeable(spec);
    if (const auto all = with_fourth_axis(spec, dump)) return compare(spec, *all, how, options);
    if (spec.rotary_dim == 0) return judge_stillness(spec, dump, options);
    const bool is_vectors = std::holds_alternative<RotatedDump>(dump);
    if (dimensions_of(dump) != (is_vectors ? spec.head_dim : spec.rotary_dim))
        return judge_width(spec, dump, options);
    if (is_judged_by_pipeline(how.pipeline, dump, options))
        return judge_by_pipeline(spec, dump, *how.pipeline, options);
    if (how.pipeline == nullptr && !options.max_error && options.only.empty())
        if (auto printed = judge_printed(spec, dump)) return *std::move(printed);
    const auto subject = rows_of(spec, dump, how, options.threads);
    Report report = judge(spec, *subject, options);
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
    const auto judged_by = [&](const Spec& other) {
        return accuracy_by(other, dump, how, options);
    };
    if (!name_layers(report, how.other_layers, judged_by))
        name_reading(report, how.facts.value_or(facts_of(spec)), judged_by);
    return report;
}

bool rotates_by(const Spec& spec, const Dump& dump) {
    return !is_refuted_by_a_row(spec, dump) &&
           accuracy_by(spec, dump, {}, {}).verdict != Verdict::violated;
}

Identity identify_judged(const Dump& dump, std::span<const Spec> known) {
    return identify(dump, known, [&](const Spec& spec) { return rotates_by(spec, dump); });
}

namespace {

// Names the rotation of vectors that must not rotate, such as that of the config's other layers.
void explain_rotation(Report& report, const Dump& dump) {
    Spec rotating = report.spec;
    rotating.rotary_dim = rotating.head_dim;
    const Identity found = identify(dump, {&rotating, 1});
    const Report as_rotated = found.fits ? compare(found.spec, dump) : Report{};
    if (!found.fits || summarize(as_rotated).violated > 0) {
        report.observations.push_back(
            "vectors change, by no rotation of known parameters; give the config or --base and "
            "--rope of the layers that rotate, to name theirs");
        return;
    }
    Parameters context{{"base", found.spec.rope_theta}};
    if (found.spec.rotary_dim != found.spec.head_dim)
        context.emplace_back("head_dim", std::uint64_t{found.spec.head_dim});
    Explanation one = explanation_of(
        named("rotary-dim", {{"rotary_dim", std::uint64_t{found.spec.rotary_dim}}}, context),
        std::numeric_limits<double>::infinity(),
        times_over(*find_finding(as_rotated, "table-accuracy")));
    report.diagnosis.push_back(std::move(one));
}

}  // namespace

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
    const CheckFacts checked{{}, {}, options.threads};
    if (options.evidence) *options.evidence = evidence_of(spec, dump, checked);
    take(report, diagnose(spec, dump, checked));
    return report;
}

Report judge_stillness(const Spec& spec, const Dump& dump, const SessionOptions& options) {
    const auto* vectors = std::get_if<RotatedDump>(&dump);
    if (vectors == nullptr)
        throw InputError(
            "rotary_dim 0 rotates nothing, which a table or inv_freq does not show; "
            "give q and q_rot");
    require_checks(options.only, {"pass-through"}, "rotary_dim 0");
    Report report = report_on(spec, *vectors, options.seed);
    Finding finding = find_passed_dimensions(spec, *vectors);
    if (std::ranges::count(vectors->positions, 0) == std::ssize(vectors->positions))
        withhold(finding);
    report.findings.push_back(std::move(finding));
    if (summarize(report).violated > 0) explain_rotation(report, dump);
    return report;
}

}  // namespace rope
