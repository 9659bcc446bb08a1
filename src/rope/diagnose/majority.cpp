#include "rope/diagnose/majority.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "rope/changes/reading.hpp"
#include "rope/diagnose/diagnosis.hpp"
#include "rope/diagnose/identity/identify_axes.hpp"
#include "rope/diagnose/identity/median.hpp"
#include "rope/diagnose/identity/most_axes.hpp"
#include "rope/diagnose/identity/most_frequencies.hpp"
#include "rope/diagnose/identity/most_lines.hpp"
#include "rope/diagnose/identity/pairs_on_axes.hpp"
#include "rope/diagnose/identity/told_spec.hpp"

namespace rope {
namespace {

struct PartMajority {
    Majority majority;
    double share = 0;  // of pairs, and of rows
};

double share_of(std::size_t some, std::size_t all) {
    return all == 0 ? 1 : static_cast<double>(some) / static_cast<double>(all);
}

Spec spec_by(const DumpReading& reading, Frequencies frequencies) {
    Replay replay;
    replay.reading = &reading;
    replay.frequencies = std::move(frequencies);
    replay.amplitude = replay.frequencies.amplitude;
    return spec_of(replay);
}

PartMajority part_majority(Spec spec, const Agreement& pairs, const RowCount& rows) {
    return {{std::move(spec), pairs.pairs, pairs.told, rows.on, rows.all},
            share_of(pairs.pairs, pairs.told) * share_of(rows.on, rows.rotations)};
}

std::optional<PartMajority> found_on_one_axis(const DumpReading& reading,
                                              std::span<const Spec> known) {
    const MostLines most = lines_of_most(reading.samples);
    if (most.lines.empty()) return std::nullopt;
    const RowCount rows = rows_on(most, reading.samples);
    if (2 * rows.on < rows.rotations) return std::nullopt;
    auto choice = frequencies_of_most(reading.asked, known, most);
    if (!choice) return std::nullopt;
    return part_majority(spec_by(reading, std::move(choice->frequencies)), choice->agreement, rows);
}

struct FoundOnAxes {
    MostFrequencies choice;
    MostAxes axes;
};

std::optional<FoundOnAxes> found_by_lines(const DumpReading& reading, std::span<const Spec> known,
                                          const std::vector<std::size_t>& rows) {
    const MostLines most = lines_of_most_by_axis(reading.samples, rows);
    if (most.lines.empty()) return std::nullopt;
    auto choice = frequencies_of_most(reading.asked, known, most);
    if (!choice) return std::nullopt;
    auto axes = axes_of_most(reading.samples, choice->frequencies.theta, most.lines, known);
    if (!axes || 2 * axes->rows.size() < reading.samples.rows()) return std::nullopt;
    return FoundOnAxes{std::move(*choice), std::move(*axes)};
}

// By lines up to the first row that is wrong, then by those of the rows that agree. One of the
// first rows may be wrong.
std::optional<FoundOnAxes> found_by_rows(const DumpReading& reading, std::span<const Spec> known) {
    constexpr std::size_t most_skipped = 3;
    std::vector<std::size_t> rows(reading.samples.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    for (std::size_t skipped = 0; skipped <= most_skipped && !rows.empty(); ++skipped) {
        const auto found = found_by_lines(reading, known, rows);
        if (!found)
            rows.erase(rows.begin());
        else if (found->axes.rows == rows)
            return found;
        else
            return found_by_lines(reading, known, found->axes.rows);
    }
    return std::nullopt;
}

std::optional<PartMajority> found_on_axes(const DumpReading& reading, std::span<const Spec> known) {
    auto found = found_by_rows(reading, known);
    if (!found) return std::nullopt;
    Spec spec = spec_by(reading, std::move(found->choice.frequencies));
    spec.axes = std::move(found->axes.axes);
    const std::size_t all = reading.samples.rows();
    return part_majority(std::move(spec), found->choice.agreement,
                         {found->axes.rows.size(), all, all});
}

std::optional<PartMajority> found_in(const DumpReading& reading, std::span<const Spec> known) {
    if (!reading.keeps_the_rest) return std::nullopt;
    return reading.samples.positions.size() > 1 ? found_on_axes(reading, known)
                                                : found_on_one_axis(reading, known);
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

// The same rows as the reading that it is a map of: which axis turns a pair is told by its lines.
bool is_of_an_axis_map(const DumpReading& reading) {
    return std::ranges::any_of(reading.mistakes,
                               [](const NamedMistake& one) { return one.mistake == "axis-map"; });
}

std::optional<PartMajority> best_of(const std::vector<DumpReading>& all,
                                    std::span<const Spec> known) {
    std::optional<PartMajority> best;
    for (const DumpReading& reading : all) {
        if (is_of_an_axis_map(reading)) continue;
        auto found = found_in(reading, known);
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
