// The Spec of most pairs and rows of a dump, a part of which is wrong.
#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "rope/changes/dump_view.hpp"
#include "rope/diagnose/identify.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

// The median, the upper one of an even number; NaN without values.
double median_of(std::vector<double> values) {
    if (values.empty()) return NAN;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

constexpr std::size_t axes_of_mrope = 3;
constexpr double most_at_odds = 1.5;  // pairs that follow an axis, but not their own

// A map of M-RoPE, and the axis that each pair follows by it if the axes are in some order.
struct AxesInOrder {
    AxisMap map = {};
    std::vector<std::uint32_t> axis = {};
    double misfit = HUGE_VAL;
};

// Another than a known map must be better by 0.05, and another order of the axes by an eighth of
// the pairs. Known maps come first, so that they win if the dump decides nothing.
AxesInOrder best_axes(const std::vector<AxisMap>& known, const AxisMisfits& misfits) {
    const auto pairs = static_cast<std::uint32_t>(misfits.size());
    auto order = numbers_below<std::uint32_t>(axes_of_mrope);
    const std::vector<AxisMap> usual = usual_sections(pairs);
    AxesInOrder best;
    const auto take_better = [&](const std::vector<AxisMap>& maps, double handicap) {
        for (const AxisMap& map : maps) {
            AxesInOrder one{map, axis_of_pairs(map, pairs), handicap};
            for (std::size_t i = 0; i < pairs; ++i) {
                one.axis[i] = order[one.axis[i]];
                one.misfit += misfits[i][one.axis[i]];
            }
            if (one.misfit < best.misfit) best = std::move(one);
        }
    };
    double handicap = 0;
    do {
        take_better(known, handicap);
        take_better(usual, handicap + 0.05);
        handicap = pairs / 8.0;
    } while (std::ranges::next_permutation(order).found);
    return best;
}

// Whether each pair follows its axis, and some pair of each axis determines that; for a published
// model's map, of all axes except one with slow pairs.
bool is_certain(const AxesInOrder& axes, const AxisMisfits& misfits, bool is_known) {
    std::vector<std::size_t> determined(axes_of_mrope);
    double at_odds = 0;
    for (std::size_t i = 0; i < axes.axis.size(); ++i) {
        const double own = misfits[i][axes.axis[i]];
        at_odds += own - std::ranges::min(misfits[i]);
        const auto possible = std::ranges::count_if(misfits[i], [](double x) { return x < 0.2; });
        if (own < 0.2 && possible == 1) ++determined[axes.axis[i]];
    }
    return at_odds <= most_at_odds && std::ranges::count(determined, 0U) <= (is_known ? 1 : 0);
}

// The frequencies that the most lines of a dump agree with, where some of its pairs are wrong.

struct Agreement {
    std::size_t pairs = 0, determined = 0;  // pairs that rotate at θ, of those that can be compared
    double off = 0;                         // sum of the deviations, each divided by its tolerance
    bool is_majority() const { return pairs >= 4 && 2 * pairs >= determined; }
    bool is_of_nearly_all() const {
        return is_majority() && pairs + std::max<std::size_t>(2, determined / 8) >= determined;
    }
};

struct MostFrequencies {
    Frequencies frequencies;
    Agreement agreement;
};

// The tolerance of a line's θ for a pair with frequency θ.
double allowed_off(const PhaseLine& line, double theta, double angle_k) {
    return 6 * line.error + angle_k * 0x1p-24 * theta;
}

double share_off(const PhaseLine& line, double theta, double angle_k) {
    return std::abs(std::abs(line.theta) - theta) / allowed_off(line, theta, angle_k);
}

// The share of the rows that are off each pair's lines; 1 if these are of another frequency. A
// small share is of no weight: in 16 bits single rows of slow pairs are off by chance.
AxisMisfits misfits_of(const MajorityLines& most, const Frequencies& one) {
    AxisMisfits misfits = most.misfits;
    for (std::size_t i = 0; i < misfits.size(); ++i)
        for (std::size_t a = 0; a < misfits[i].size(); ++a) {
            const PhaseLines& lines = most.on_axes[a].lines;
            const double theta = std::abs(one.theta[i]);
            if (lines.empty() || !(share_off(lines[i], theta, one.angle_k[i]) <= 1))
                misfits[i][a] = 1;
            else if (misfits[i][a] < 0.1)
                misfits[i][a] = 0;
        }
    return misfits;
}

// Time, height and width, sectioned, interleaved or as a known Spec has them: each axis may be
// off by any constant, and their order may be another. None if pairs follow axes in another
// way, or no pair of some axis distinguishes it from the others.
std::optional<AxisMap> axes_of_most(const MajorityLines& most, const Frequencies& one,
                                    std::span<const Spec> known) {
    const AxisMisfits misfits = misfits_of(most, one);
    const auto pairs = static_cast<std::uint32_t>(misfits.size());
    const std::vector<AxisMap> maps = known_maps(known, pairs, axes_of_mrope);
    const AxesInOrder best = best_axes(maps, misfits);
    const bool is_known = std::ranges::find(maps, best.map) != maps.end();
    if (best.axis.empty() || !is_certain(best, misfits, is_known)) return std::nullopt;
    return best.map;
}

// Returns the least share_off() of the straight lines; a slow pair may have one per axis.
double least_share_off(const MajorityLines& most, const PhaseLine& line, std::size_t i,
                       double theta, double angle_k) {
    double least = most.is_straight(i) ? share_off(line, theta, angle_k) : HUGE_VAL;
    for (const LinesOfRows& axis : most.on_axes)
        if (!axis.lines.empty() && axis.is_straight(i))
            least = std::min(least, share_off(axis.lines[i], theta, angle_k));
    return least;
}

// Compares |θ| of the lines and of the candidate. Pair 0 is left out, and pairs that hardly rotate
// in these rows.
Agreement agreement_of(const Frequencies& one, const MajorityLines& most) {
    const PhaseLines lines = nearest_to(one.theta, most.lines);
    Agreement found;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (!most.is_determined[i]) continue;
        const double theta = std::abs(one.theta[i]), own = std::abs(lines[i].theta);
        if (most.is_straight(i) &&
            std::max(theta, own) <= allowed_off(lines[i], theta, one.angle_k[i]))
            continue;
        ++found.determined;
        const double off = least_share_off(most, lines[i], i, theta, one.angle_k[i]);
        if (!(off <= 1)) continue;
        ++found.pairs;
        found.off += off;
    }
    return found;
}

// Scaling by parts can fit pairs of two bases, so it must fit nearly all pairs, with a factor of
// one digit.
bool is_likely(const Frequencies& one, const Agreement& agreement) {
    if (one.cost == 0) return agreement.is_majority();
    return agreement.is_of_nearly_all() && digits_of(one.spec->scaling.factor.value_or(1)) == 1;
}

// Takes the candidate with the most agreeing pairs minus disagreeing ones, where a scaling counts
// as two: in 16 bits one or two pairs may agree by chance. Fits candidates to the lines of pairs
// that rotate at a constant frequency, with |θ|: the direction of a pair does not matter.
std::optional<MostFrequencies> best_choice(const Spec& asked, std::span<const Spec> known,
                                           MajorityLines most) {
    for (PhaseLine& line : most.lines)
        if (line.modulo == 0) line.theta = std::abs(line.theta);
    PhaseLines lines = most.lines;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (!most.is_straight(i)) lines[i] = {};
    const auto rank = [](const MostFrequencies& one) {
        const Spec& spec = *one.frequencies.spec;
        const auto pairs = static_cast<std::ptrdiff_t>(one.agreement.pairs);
        const auto odd = static_cast<std::ptrdiff_t>(one.agreement.determined) - pairs;
        const int cost = one.frequencies.cost;
        return std::tuple(odd - pairs + 2 * cost, cost, rank_of_type(spec), digits_of(spec),
                          one.agreement.off);
    };
    std::optional<MostFrequencies> best;
    for (const Frequencies& one : identity_candidates(asked, known, lines)) {
        MostFrequencies choice{one, agreement_of(one, most)};
        if (is_likely(one, choice.agreement) && (!best || rank(choice) < rank(*best)))
            best = std::move(choice);
    }
    return best;
}

double share_of(std::size_t some, std::size_t all) {
    return all == 0 ? 1 : static_cast<double>(some) / static_cast<double>(all);
}

std::optional<Majority> found_in(const DumpView& view, std::span<const Spec> known) {
    if (!view.leaves_other_dimensions_unchanged) return std::nullopt;
    const MajorityLines most = fit_majority_lines(view.samples);
    if (most.lines.empty() || 2 * most.count.on < most.count.rotations) return std::nullopt;
    const auto choice = best_choice(view.asked, known, most);
    if (!choice) return std::nullopt;
    Combination combined;
    combined.view = &view;
    combined.frequencies = choice->frequencies;
    combined.amplitude = combined.frequencies.amplitude;
    Spec spec = spec_of(combined);
    if (view.samples.positions.size() > 1) {
        auto axes = axes_of_most(most, choice->frequencies, known);
        if (!axes) return std::nullopt;
        spec.axes = *std::move(axes);
    }
    const auto& [on, rotations, all] = most.count;
    const Agreement& pairs = choice->agreement;
    return Majority{std::move(spec),
                    pairs.pairs,
                    pairs.determined,
                    on,
                    all,
                    share_of(pairs.pairs, pairs.determined) * share_of(on, rotations)};
}

// Removes rows whose norms differ from most: with them no layout keeps norms.
void leave_out_damaged(std::vector<std::size_t>& rows, const RotatedDump& dump) {
    const std::uint64_t dimensions = head_dim_of(dump);
    std::vector<double> ratios, offs;
    for (const std::size_t row : rows)
        ratios.push_back(norm_of(dump.after, row, 0, dimensions) /
                         norm_of(dump.before, row, 0, dimensions));
    const auto usable = [](std::vector<double> values) {
        std::erase_if(values, [](double x) { return !(std::isfinite(x) && x > 0); });
        return values;
    };
    const double median = median_of(usable(ratios));
    for (const double ratio : ratios) offs.push_back(std::abs(ratio / median - 1));
    const double allowed = 8 * median_of(usable(offs)) + 4 * half_spacing(dump.format, 1);
    std::vector<std::size_t> kept;
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (offs[k] <= allowed) kept.push_back(rows[k]);
    if (2 * kept.size() >= rows.size()) rows = std::move(kept);
}

// The Spec that most of the parts have; `rows` counts those of all parts that have it.
std::optional<Majority> joined(const std::vector<std::optional<Majority>>& parts,
                               std::size_t moved_rows) {
    std::optional<Majority> best;
    std::size_t most = 0;
    for (const auto& one : parts) {
        if (!one) continue;
        std::size_t count = 0;
        Majority sum = *one;
        sum.rows = 0;
        sum.of_rows = moved_rows;
        for (const auto& other : parts) {
            if (!other) continue;
            sum.of_rows += other->of_rows;
            if (!rotate_alike(one->spec, other->spec)) continue;
            ++count;
            sum.rows += other->rows;
        }
        if (best && std::pair(count, one->share) <= std::pair(most, best->share)) continue;
        most = count;
        best = std::move(sum);
    }
    return best;
}

std::optional<Majority> best_of(const Views& all, std::span<const Spec> known) {
    std::optional<Majority> best;
    for (const DumpView& view : all) {
        if (has_mistake(view.mistakes, "axis-map"))
            continue;  // lines determine the axis of each pair
        auto found = found_in(view, known);
        if (found && (!best || found->share > best->share)) best = std::move(found);
    }
    return best;
}

}  // namespace

std::optional<Majority> majority_of(const Dump& dump, std::span<const Spec> known) {
    if (const std::size_t axes = axes_of(dump); axes > 1 && axes != axes_of_mrope)
        return std::nullopt;
    const Spec plain = plain_spec(dump);
    if (std::holds_alternative<FrequencyDump>(dump)) {
        auto found = best_of(views_of(plain, dump, CheckFacts{}), known);
        if (found) found->rows = found->of_rows = 0;
        return found;
    }
    const RowGroups rows(dump);
    std::vector<std::optional<Majority>> parts;
    std::size_t moved_rows = 0;
    for (const std::size_t group : std::set{std::size_t{0}, rows.count() / 2, rows.count() - 1}) {
        DumpPart part{dump, rows, {group}, rows.diagnostic({group}, {})};
        const std::size_t looked = part.sampled.size();
        if (const auto* vectors = std::get_if<RotatedDump>(&dump))
            leave_out_damaged(part.sampled, *vectors);
        parts.push_back(best_of(views_of(plain, part, CheckFacts{}), known));
        moved_rows += looked - (parts.back() ? parts.back()->of_rows : 0);
    }
    return joined(parts, moved_rows);
}

}  // namespace rope
