#include "rope/session/session.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/changes/frequencies.hpp"
#include "rope/diagnose/dump_evidence.hpp"
#include "rope/diagnose/explain.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/exact/elementary.hpp"
#include "rope/exact/row_sample.hpp"
#include "rope/rows/dump.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/rows/row_source.hpp"
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
    options.only = {"table-accuracy", "turn-rate", "identity-at-zero"};  // see may_be_rounded()
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

// Returns whether a pair of some rows is not finite or half a radian off its angle, which no
// arithmetic explains: most wrong Specs, without a comparison of all rows.
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
            if (!is_normal || !std::isfinite(x1 + x2)) continue;
            if (!std::isfinite(y1 + y2)) return true;
            if (std::abs(angle) < largest_angle && std::isfinite(along + across) &&
                std::abs(std::remainder(portable::atan2(across, along) - angle, full_turn)) >
                    most_off)
                return true;
        }
    }
    return false;
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

// A rotation that the config has by the rules of other libraries, or for its other layers.
struct OtherRotation {
    NamedMistake mistake;
    Spec spec;
    std::string equivalent = {};  // its name next to one mistake; empty: it replaces that
};

std::vector<OtherRotation> other_rotations(const Spec& spec, const CompareOptions& how) {
    std::vector<OtherRotation> all;
    for (const auto& [layers, other] : how.other_layers)
        all.push_back({named("config-reading", {{"layers", layers}}), other});
    if (!spec.reading.empty()) return all;
    for (const OtherReading& other :
         compare_readings(spec, how.facts.value_or(facts_of(spec))).others)
        if (!other.difference.differing.empty())  // not in its layers alone
            all.push_back(
                {named("config-reading", {{"reading", std::string(other.by.front().reading->name)}},
                       {{"libraries", libraries_of(other)}}),
                 other.difference.difference.b, "the config as read by " + libraries_of(other)});
    return all;
}

// If table-accuracy or turn-rate is violated, adds the first other rotation for which every value
// holds: as an equivalent of one mistake, else as the diagnosis.
void name_other_rotation(Report& report, const Dump& dump, const CompareOptions& how,
                         const SessionOptions& options) {
    const Finding* before = violated_one(report);
    if (before == nullptr) return;
    for (OtherRotation& other : other_rotations(report.spec, how)) {
        if (other.spec.head_dim != report.spec.head_dim) continue;  // of other dumps
        if (axes_of(dump) != 1 && axes_of(dump) != axis_count(other.spec.axes)) continue;
        const Finding after = accuracy_by(other.spec, dump, how, options);
        if (!explains_every_value(after)) continue;
        if (!other.equivalent.empty() && !is_unexplained(report) && report.diagnosis.size() == 1) {
            report.diagnosis.front().equivalent.push_back(std::move(other.equivalent));
            return;
        }
        report.diagnosis = {
            explanation_of(std::move(other.mistake), times_over(*before), times_over(after))};
        report.observations.clear();
        report.unexplained.clear();
        return;
    }
}

void require_judgeable(const Spec& spec) {
    if (spec.head_dim > widest_judged_head)
        throw InputError("head_dim", decimal(spec.head_dim),
                         "at most " + decimal(widest_judged_head) + " to check");
}

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

// Reports on vectors that must not rotate (rotary_dim 0): pass-through of every dimension and, if
// they do rotate, the Spec that they rotate by. Throws InputError for a table or frequencies, and
// if `only` excludes pass-through.
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
    std::optional<PrintedReport> printed;
    if (how.pipeline == nullptr && !options.max_error && options.only.empty())
        printed = judge_printed(spec, dump);
    if (printed && printed->are_near) return printed->report;
    const auto subject = rows_of(spec, dump, how, options.threads);
    Report report = judge(spec, *subject, options);
    // the tolerance for all digits of a pair is coarser than that of each value
    if (printed && std::ranges::none_of(report.findings, is_fault)) return printed->report;
    if (const auto* vectors = std::get_if<RotatedDump>(&dump)) {
        auto other = judge_rounded(report, *vectors, how, options);
        if (!other) other = judge_moved(report, *vectors, options);
        if (other) return *std::move(other);
    }
    const auto fitted =
        diagnose_into(report, dump, subject->exactness(), subject->exactness().table, options);
    if (how.is_assumed && fitted && is_sound(*fitted) && !rotate_alike(*fitted, spec)) {
        CompareOptions as_fitted = how;
        as_fitted.is_assumed = false;
        return compare(*fitted, dump, as_fitted, options);
    }
    name_other_rotation(report, dump, how, options);
    return report;
}

bool rotates_by(const Spec& spec, const Dump& dump) {
    return !is_refuted_by_a_row(spec, dump) &&
           accuracy_by(spec, dump, {}, {}).verdict != Verdict::violated;
}

Identity identify_judged(const Dump& dump, std::span<const Spec> known) {
    std::vector<Spec> fitting;
    Identity found = identify(dump, known, [&](const Spec& spec) {
        const bool is_of_all = rotates_by(spec, dump);
        if (is_of_all) fitting.push_back(spec);
        return is_of_all;
    });
    found.fits_all = std::ranges::any_of(
        fitting, [&](const Spec& spec) { return rotate_alike(spec, found.spec); });
    return found;
}

// The diagnosis of a report.

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
        fact += grouped(finding.violations->count) + " of " + grouped(finding.samples) +
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

// Explains small errors at large angles, where the search found no mistake that explains the
// values: those of the fastest pairs only, or at most a few float32 roundings of the angle, which
// grow with it, if also the pair with θ = 1 has them: its frequency has no rounding.
std::optional<Explanation> inaccurate_angles(const Report& report) {
    constexpr double least_angle = 1000, most_error = 0.25, most_roundings = 8, least_ratio = 4;
    for (const char* id : {"orthogonality", "pair-norm"})  // no angle changes a norm
        if (const Finding* norms = find_finding(report, id); norms && is_fault(*norms))
            return std::nullopt;
    const Finding* table = find_finding(report, "table-accuracy");
    if (table == nullptr || !table->violations || table->violations->first_pair != 0 ||
        table->observed < least_ratio * table->allowed)
        return std::nullopt;
    const auto explained = [&](double angle, Parameters parameters, Parameters context) {
        context.emplace_back("error", decimal(few_digits(table->observed, 0.01)));
        context.emplace_back("angle", decimal(few_digits(angle, 0.01)));
        return explanation_of(named("angle-precision", std::move(parameters), context),
                              times_over(*table), 0);
    };
    const double from = std::abs(table->violations->first_position);
    const std::uint32_t last = table->violations->last_pair;
    if (const double angle = from * report.inv_freq[last]; table->observed <= most_error &&
                                                           last + 1 < report.inv_freq.size() &&
                                                           angle >= least_angle) {
        const auto pairs = numbers_below<std::uint32_t>(last + 1);
        return explained(angle, {{"pairs", ranges(pairs, 4)}, {"from", from}},
                         {{"are", of_pairs(pairs, " is", " are")}});
    }
    const auto roundings = finding_field<double>(*table, "K");
    if (!table->worst || !table->worst->pair || report.inv_freq[0] != 1 || !roundings ||
        !(*roundings > 0 && *roundings <= most_roundings))
        return std::nullopt;
    const double angle =
        std::abs(table->worst->positions[0]) * report.inv_freq[*table->worst->pair];
    if (angle < least_angle) return std::nullopt;
    return explained(angle, {{"roundings", few_digits(*roundings, 0.01)}}, {});
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

// If turn-rate failed, finds the pairs that rotate wrongly and writes them to the finding's note.
OddPairs odd_pairs_in(Report& report, const Dump& dump, Format table) {
    const auto rate = std::ranges::find(report.findings, "turn-rate", &Finding::check);
    if (rate == report.findings.end() || rate->verdict != Verdict::violated) return {};
    const FrequencyPlan plan = plan_frequencies(report.spec, exact_precision);
    const SlowPairs slow(report.spec, plan, dump, table);
    const RateFits fits = fit_rates(slow);
    OddPairs odd = odd_pairs(slow, fits);
    rate->note = in_words(odd, slow, fits, report.spec);
    return odd;
}

// The commonest cause of a constant offset of rows whose positions are not given, except of one
// that counts them from 1.
void add_missing_start(Explanation& one, const Report& report) {
    const Assumption* read = find_assumption(report.subject.read_as, "positions");
    if (read == nullptr || !read->are_row_numbers || one.mistake != "position-offset" ||
        one.parameters.size() != 1 || !one.part.empty())
        return;
    const double start = std::get<double>(one.parameters[0].second);
    if (!(start > 0) || start != std::floor(start)) return;
    const std::string from = decimal(start),
                      end = decimal(start + static_cast<double>(report.subject.context)),
                      lacking = "the dump starts at position " + from +
                                " and lacks position_ids: pass --positions " + from + ":" + end;
    one.advice = start == 1 ? one.advice + "; or " + lacking : lacking + "; or " + one.advice;
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
    std::ranges::for_each(report.diagnosis, [&](auto& one) { add_missing_start(one, report); });
    report.observations = std::move(diagnosis.observations);
    report.unexplained = std::move(diagnosis.unexplained);
}

void take_offsets_of_one(std::span<Report> reports) {
    for (Report& report : reports) {
        const std::string& name = report.subject.layers;
        const auto partner = [&](const Report& one) {
            return (name == "q" && one.subject.layers == "k") ||
                   (name == "k" && one.subject.layers == "q");
        };
        const auto other = std::ranges::find_if(reports, partner);
        if (other == reports.end() || summarize(*other).violated > 0) continue;
        for (Explanation& one : report.diagnosis) {
            if (one.mistake != "position-offset" ||
                std::erase(one.equivalent, scores_unchanged) == 0)
                continue;
            one.advice = explanation_of(named(one.mistake, one.parameters), 0, 0).advice;
            report.subject.notes.push_back(other->subject.layers +
                                           " is at the right positions, so "
                                           "the scores of q and k are those of other distances");
        }
    }
}

std::optional<Spec> diagnose_into(Report& report, const Dump& dump, const Exactness& exactness,
                                  Format table, const SessionOptions& options) {
    const OddPairs odd = odd_pairs_in(report, dump, table);
    const CheckFacts checked{suspects(report), exactness, options.threads, odd};
    if (options.evidence) *options.evidence = evidence_of(report.spec, dump, checked);
    // errors within tolerance need no other cause
    const auto faults = std::ranges::count_if(report.findings, is_fault);
    if (faults == 0) return std::nullopt;
    const bool are_odd = !odd.pairs.empty();
    const auto named_by_rates = [&] {
        Diagnosis named{name_slow_pairs(report.spec, dump, checked), {}};
        if (named.explanations.empty())
            named.observations = {find_finding(report, "turn-rate")->note};
        return named;
    };
    if (are_odd && faults == 1) {
        take(report, named_by_rates());
        return std::nullopt;
    }
    Diagnosis found = diagnose(report.spec, dump, checked);
    take_as_moved(found, report, dump, checked);
    const std::optional<Spec> spec = found.spec;
    take(report, std::move(found));
    if (!report.diagnosis.empty()) return spec;
    // errors slightly above the tolerance of table-accuracy are below that of a diagnosis
    if (are_odd && report.observations.empty()) {
        Diagnosis named = named_by_rates();
        if (!named.explanations.empty()) {
            take(report, std::move(named));
            return std::nullopt;
        }
    }
    if (auto inaccurate = are_odd ? std::nullopt : inaccurate_angles(report)) {
        take(report, {{*std::move(inaccurate)}, {}});
        return std::nullopt;
    }
    if (report.observations.empty()) report.observations = failure_facts(report);
    if (odd.are_still)
        report.observations.insert(report.observations.begin(),
                                   find_finding(report, "turn-rate")->note);
    if (is_marginal(report))
        report.observations.emplace_back(
            "every error is as small as a few roundings of the dump's format: two rotations in a "
            "row (a shifted cache), a parameter that is slightly wrong, or a fault of pairs that "
            "hardly rotate look like this");
    return std::nullopt;
}

}  // namespace rope
