#include "rope/diagnose/majority.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identity/identify_axes.hpp"
#include "rope/diagnose/identity/identity_candidates.hpp"
#include "rope/diagnose/identity/most_lines.hpp"
#include "rope/diagnose/identity/told_spec.hpp"
#include "rope/diagnose/reading/reading.hpp"
#include "rope/diagnose/reading/row_norm.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr std::size_t least_agreeing = 4;

double median_of(std::vector<double> values) {
    if (values.empty()) return NAN;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

struct Agreement {
    std::size_t pairs = 0, told = 0;
    bool is_of_most() const { return pairs >= least_agreeing && 2 * pairs >= told; }
    bool is_of_nearly_all() const {
        return is_of_most() && pairs + std::max<std::size_t>(2, told / 8) >= told;
    }
};

struct Choice {
    Frequencies frequencies;
    Agreement agreement;
};

// Pairs that turn at these frequencies, whichever way; not pair 0, and none that hardly turns in
// these rows.
Agreement agreement_of(const Frequencies& one, const MostLines& most) {
    const std::vector<PhaseLine> lines = nearest_to(one.theta, most.lines);
    Agreement found;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        if (!most.is_said[i]) continue;
        const double theta = std::abs(one.theta[i]), own = std::abs(lines[i].theta);
        const double allowed = 6 * lines[i].error + one.angle_k[i] * 0x1p-24 * theta;
        const bool is_straight = most.is_straight(i);
        if (is_straight && std::max(theta, own) <= allowed) continue;
        ++found.told;
        if (is_straight && std::abs(own - theta) <= allowed) ++found.pairs;
    }
    return found;
}

// Scaling by parts has numbers enough for pairs of two bases: it is one that somebody would write,
// of nearly all pairs.
bool is_likely(const Frequencies& one, const Agreement& agreement) {
    if (one.cost == 0) return agreement.is_of_most();
    return agreement.is_of_nearly_all() && digits_of(one.spec->scaling.factor.value_or(1)) == 1;
}

// The one of most agreeing pairs, of these the simplest.
void take_better(std::optional<Choice>& best, const std::vector<Frequencies>& list,
                 const MostLines& most) {
    const auto rank = [](const Choice& one) {
        const Spec& spec = *one.frequencies.spec;
        return std::tuple(-static_cast<std::ptrdiff_t>(one.agreement.pairs), one.agreement.told,
                          one.frequencies.cost, rank_of_type(spec), digits_of(spec));
    };
    for (const Frequencies& one : list) {
        Choice choice{one, agreement_of(one, most)};
        if (is_likely(one, choice.agreement) && (!best || rank(choice) < rank(*best)))
            best = std::move(choice);
    }
}

// Without the pairs of which `is_odd`.
template <class IsOdd>
std::vector<PhaseLine> without(std::vector<PhaseLine> lines, const IsOdd& is_odd) {
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (is_odd(i)) lines[i] = {};
    return lines;
}

// Without those off the line of ln θ over i by Theil and Sen, of pairs half the ladder apart: one
// wrong pair moves no median.
std::vector<PhaseLine> on_a_law(const std::vector<PhaseLine>& lines) {
    const std::size_t half = lines.size() / 2;
    const auto ln = [&](std::size_t i) { return portable::log(lines[i].theta); };
    std::vector<double> slopes, starts;
    for (std::size_t i = 0; i + half < lines.size(); ++i)
        if (lines[i].is_of_a_law() && lines[i + half].is_of_a_law())
            slopes.push_back((ln(i + half) - ln(i)) / static_cast<double>(half));
    const double slope = median_of(std::move(slopes));
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].is_of_a_law()) starts.push_back(ln(i) - slope * static_cast<double>(i));
    const double start = median_of(std::move(starts));
    return without(lines, [&](std::size_t i) {
        if (!lines[i].is_of_a_law()) return true;
        const double off = ln(i) - start - slope * static_cast<double>(i);
        return !(std::abs(off) <= 1e-3 + 6 * lines[i].error / lines[i].theta);
    });
}

// By all lines, and by those on one law; by the fastest and the slowest half; and, as scaling by
// parts is on none, by all but one in eight.
std::optional<Choice> best_choice(const Spec& asked, std::span<const Spec> known,
                                  const MostLines& most) {
    const std::vector<PhaseLine> lines =
        without(most.lines, [&](std::size_t i) { return !most.is_straight(i); });
    std::optional<Choice> best;
    const auto is_found_by = [&](const std::vector<PhaseLine>& some) {
        take_better(best, identity_candidates(asked, known, some), most);
        return best && best->agreement.is_of_nearly_all();
    };
    const auto is_found_without = [&](const auto& is_odd) {
        return is_found_by(without(lines, is_odd));
    };
    const std::size_t half = lines.size() / 2, parts = 8;
    if (is_found_by(lines) || is_found_by(on_a_law(lines))) return best;
    if (is_found_without([&](std::size_t i) { return i < half; })) return best;
    if (is_found_without([&](std::size_t i) { return i >= half; })) return best;
    for (std::size_t part = 0; part < parts; ++part)
        if (is_found_without([&](std::size_t i) { return i % parts == part; })) return best;
    return best;
}

// Rotations that turn backwards, too: which way is no part of the frequencies.
MostLines forwards(MostLines most) {
    for (PhaseLine& line : most.lines)
        if (line.modulo == 0) line.theta = std::abs(line.theta);
    return most;
}

struct PartMajority {
    Majority majority;
    double share = 0;  // of pairs, and of rows
};

double share_of(std::size_t some, std::size_t all) {
    return all == 0 ? 1 : static_cast<double>(some) / static_cast<double>(all);
}

std::optional<PartMajority> found_in(const DumpReading& reading, std::span<const Spec> known) {
    const MostLines most = lines_of_most(reading.samples);
    if (most.lines.empty() || !reading.keeps_the_rest) return std::nullopt;
    const RowCount rows = rows_on(most, reading.samples);
    if (2 * rows.on < rows.rotations) return std::nullopt;
    auto choice = best_choice(reading.asked, known, forwards(most));
    if (!choice) return std::nullopt;
    Replay replay;
    replay.reading = &reading;
    replay.frequencies = std::move(choice->frequencies);
    replay.amplitude = replay.frequencies.amplitude;
    const Agreement& pairs = choice->agreement;
    Majority majority{spec_of(replay), pairs.pairs, pairs.told, rows.on, rows.all};
    return PartMajority{std::move(majority),
                        share_of(pairs.pairs, pairs.told) * share_of(rows.on, rows.rotations)};
}

// Readings of damaged rows have no layout that keeps norms.
void leave_out_damaged(std::vector<std::size_t>& rows, const RotatedDump& dump) {
    const std::uint64_t lanes = head_dim_of(dump);
    std::vector<double> ratios, offs;
    for (const std::size_t row : rows)
        ratios.push_back(norm_of(dump.after, row, 0, lanes) / norm_of(dump.before, row, 0, lanes));
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

std::vector<std::vector<std::size_t>> some_groups(const RowGroups& rows) {
    const std::size_t count = rows.count();
    std::vector<std::vector<std::size_t>> some;
    std::set<std::size_t> tried;
    for (const std::size_t group : {std::size_t{0}, count / 2, count - 1})
        if (tried.insert(group).second) some.push_back({group});
    return some;
}

// Of the parts of a dump, what the most of them say; its rows are those of all that say so.
std::optional<Majority> joined(const std::vector<std::optional<PartMajority>>& parts,
                               std::size_t rows_elsewhere) {
    std::optional<PartMajority> best;
    std::size_t most = 0;
    for (const auto& one : parts) {
        if (!one) continue;
        std::size_t count = 0;
        PartMajority sum = *one;
        sum.majority.rows = 0;
        sum.majority.of_rows = rows_elsewhere;
        for (const auto& other : parts) {
            if (!other) continue;
            sum.majority.of_rows += other->majority.of_rows;
            if (!rotate_alike(one->majority.spec, other->majority.spec)) continue;
            ++count;
            sum.majority.rows += other->majority.rows;
        }
        if (best && std::pair(count, one->share) <= std::pair(most, best->share)) continue;
        most = count;
        best = std::move(sum);
    }
    if (!best) return std::nullopt;
    return std::move(best->majority);
}

std::optional<PartMajority> best_of(const std::vector<DumpReading>& all,
                                    std::span<const Spec> known) {
    std::optional<PartMajority> best;
    for (const DumpReading& reading : all) {
        auto found = found_in(reading, known);
        if (found && (!best || found->share > best->share)) best = std::move(found);
    }
    return best;
}

}  // namespace

std::optional<Majority> majority_of(const Dump& dump, std::span<const Spec> known) {
    if (axes_of(dump) > 1) return std::nullopt;
    const Spec plain = plain_spec(dump);
    if (std::holds_alternative<FrequencyDump>(dump)) {
        auto found = best_of(readings(plain, dump, Judgement{}), known);
        if (!found) return std::nullopt;
        found->majority.rows = found->majority.of_rows = 0;
        return std::move(found->majority);
    }
    const RowGroups rows(dump);
    std::vector<std::optional<PartMajority>> parts;
    std::size_t rows_elsewhere = 0;
    for (const auto& groups : some_groups(rows)) {
        DumpPart part{dump, rows, groups, rows.diagnostic(groups, {})};
        const std::size_t looked = part.sampled.size();
        if (const auto* vectors = std::get_if<RotatedDump>(&dump))
            leave_out_damaged(part.sampled, *vectors);
        parts.push_back(best_of(readings(plain, part, Judgement{}), known));
        rows_elsewhere += looked - (parts.back() ? parts.back()->majority.of_rows : 0);
    }
    return joined(parts, rows_elsewhere);
}

}  // namespace rope
