#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

constexpr int most_of_each = 8;  // most rows per position

struct Runs {
    double misfit = 0;  // sum over the pairs
    std::vector<std::uint32_t> lengths;
};

bool fits_better(const Runs& a, const Runs& b) { return a.misfit < b.misfit; }

// Pairs first, first + step, … are divided into runs that follow `axes` in order. Returns the runs
// with the smallest sum of misfits.
Runs best_runs(const AxisMisfits& misfits, std::size_t first, std::size_t step,
               const std::vector<std::uint32_t>& axes) {
    std::vector<Runs> upto(axes.size(), {0, std::vector<std::uint32_t>(axes.size())});
    for (std::size_t i = first; i < misfits.size(); i += step)
        for (std::size_t a = axes.size(); a-- > 0;) {
            const auto end = upto.begin() + static_cast<std::ptrdiff_t>(a) + 1;
            Runs best = *std::min_element(upto.begin(), end, fits_better);
            best.misfit += misfits[i][axes[a]];
            ++best.lengths[a];
            upto[a] = std::move(best);
        }
    return *std::min_element(upto.begin(), upto.end(), fits_better);
}

// Rows of different positions on one axis, ascending, without those that are left out: samples on
// only that axis.
Samples samples_on_axis(const Samples& samples, std::size_t axis) {
    const std::vector<double>& places = samples.positions[axis];
    std::vector<std::size_t> order(places.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t row) { return samples.is_row_left_out(row); });
    std::ranges::stable_sort(order, {}, [&](std::size_t row) { return places[row]; });
    const auto same = [&](std::size_t a, std::size_t b) { return places[a] == places[b]; };
    order.erase(std::unique(order.begin(), order.end(), same), order.end());
    return some_rows(samples, order, places, samples.all_pairs());
}

// Keeps most_of_each rows of each position; NaN for the others.
std::vector<double> some_of_each(std::vector<double> positions) {
    std::map<double, int> rows;
    for (double& position : positions)
        if (++rows[position] > most_of_each) position = std::nan("");
    return positions;
}

// The sectioned map over axes 0 … used − 1.
std::optional<AxisMap> fit_sections(const AxisMisfits& misfits, std::size_t axes,
                                    std::size_t used) {
    std::vector<std::uint32_t> in_order(used);
    std::iota(in_order.begin(), in_order.end(), 0U);
    Runs runs = best_runs(misfits, 0, 1, in_order);
    if (!(runs.misfit < HUGE_VAL)) return std::nullopt;
    runs.lengths.resize(axes);
    return AxisMap{AxisScheme::sectioned, std::move(runs.lengths)};
}

// Pair j follows height if j mod 3 = 1 and j < 3·h, width if j mod 3 = 2 and j < 3·w, else time.
// With four axes, time also ends at 3·t, and the fourth axis takes the rest.
std::optional<AxisMap> fit_interleaved(const AxisMisfits& misfits, std::size_t axes) {
    const std::uint32_t rest = axes == 4 ? 3 : 0;
    const Runs height = best_runs(misfits, 1, 3, {1, rest});
    const Runs width = best_runs(misfits, 2, 3, {2, rest});
    const std::uint32_t h = height.lengths[0], w = width.lengths[0];
    const auto first = static_cast<std::uint32_t>(misfits.size()) - h - w;
    std::vector<std::uint32_t> of_time{0};
    if (axes == 4 && std::size_t{3} * first < misfits.size()) of_time.push_back(rest);
    const Runs time = best_runs(misfits, 0, 3, of_time);
    if (!(time.misfit + height.misfit + width.misfit < HUGE_VAL)) return std::nullopt;
    if (axes == 4) return AxisMap{AxisScheme::interleaved4, {first, h, w, 0}};
    return AxisMap{AxisScheme::interleaved, {first, h, w}};
}

// None if the pair does not rotate at a constant frequency.
std::optional<PhaseLine> line_on_axis(const Samples& samples, std::uint32_t pair,
                                      std::size_t axis) {
    const Samples one = at_places(samples, some_of_each(samples.positions[axis]), {pair});
    const bool has_no_value = std::ranges::all_of(one.modulus, Samples::is_left_out);
    if (has_no_value || one.positions[0].front() == one.positions[0].back())
        return PhaseLine{.rows = one.rows()};
    const PhaseLines own = fit_phase_lines(one);
    if (own.empty() || own[0].rows != one.rows()) return std::nullopt;
    return own[0];
}

// The axis of a pair, or the only one that the samples have.
std::size_t sampled_axis(const Samples& samples, std::uint32_t axis) {
    return axis < samples.positions.size() ? axis : 0;
}

}  // namespace

std::vector<LinesOfRows> fit_lines_on_each_axis(const Samples& samples,
                                                const AnglePrecision& precision) {
    std::vector<LinesOfRows> all;
    for (std::size_t axis = 0; axis < samples.positions.size(); ++axis) {
        const Samples own = samples_on_axis(samples, axis);
        all.push_back({fit_phase_lines(own, precision), own.rows()});
    }
    return all;
}

PhaseLines fit_lines_by_axis(const Samples& samples) {
    PhaseLines best;
    std::vector<double> share;  // share of the rows that lie on the line
    for (const auto& [lines, rows] : fit_lines_on_each_axis(samples)) {
        if (lines.empty()) continue;
        best.resize(lines.size());
        share.resize(lines.size());
        for (std::size_t i = 0; i < lines.size(); ++i) {
            const double on_line = static_cast<double>(lines[i].rows) / static_cast<double>(rows);
            if (on_line < share[i] ||
                (on_line == share[i] && lines[i].weight() <= best[i].weight()))
                continue;
            share[i] = on_line;
            best[i] = lines[i];
        }
    }
    return best;
}

bool are_constant_on_axes(const Samples& samples, const std::vector<std::uint32_t>& axis) {
    for (std::uint32_t i = samples.pairs; i-- > 0;)  // the first ones are of time, which text has
        if (!line_on_axis(samples, i, sampled_axis(samples, axis[i]))) return false;
    return true;
}

bool may_follow_axes(const Samples& samples) {
    for (std::uint32_t i = samples.pairs; i-- > 0;) {
        std::size_t axis = 0;
        while (axis < samples.positions.size() && !line_on_axis(samples, i, axis)) ++axis;
        if (axis == samples.positions.size()) return false;
    }
    return true;
}

PhaseLines fit_lines_on_axes(const Samples& samples, const std::vector<std::uint32_t>& axis) {
    const auto axis_of = [&](std::uint32_t pair) { return sampled_axis(samples, axis[pair]); };
    PhaseLines lines;
    std::vector<bool> is_left_out(samples.positions.size());
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        lines.emplace_back();
        if (is_left_out[axis_of(i)]) continue;
        if (const auto line = line_on_axis(samples, i, axis_of(i)))
            lines.back() = *line;
        else
            is_left_out[axis_of(i)] = true;
    }
    for (std::uint32_t i = 0; i < samples.pairs; ++i)
        if (is_left_out[axis_of(i)]) lines[i] = {.rows = samples.rows()};
    if (std::ranges::none_of(lines, &PhaseLine::is_known)) lines.clear();
    return lines;
}

AxisMisfits misfits_on_axes(const Samples& samples, const Hypothesis& hypothesis,
                            std::size_t axes) {
    std::vector<Hypothesis> on_axis(axes, hypothesis);
    for (std::uint32_t a = 0; a < axes; ++a) on_axis[a].axis.assign(samples.pairs, a);
    AxisMisfits misfits(samples.pairs);
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        for (const Hypothesis& own : on_axis) {
            const double misfit = pair_misfit(samples, own, i, 1);
            misfits[i].push_back(misfit <= 1 ? misfit : HUGE_VAL);
        }
        if (std::ranges::count(misfits[i], HUGE_VAL) == std::ssize(misfits[i])) return {};
    }
    return misfits;
}

double misfit_by(const AxisMap& map, const AxisMisfits& misfits) {
    const auto axis = axis_of_pairs(map, static_cast<std::uint32_t>(misfits.size()));
    double sum = 0;
    for (std::size_t i = 0; i < misfits.size(); ++i) sum += misfits[i][axis[i]];
    return sum;
}

// The axes are time, height and width; a fourth may have no pairs.
std::vector<AxisMap> maps_of_least_misfit(const AxisMisfits& misfits) {
    if (misfits.empty()) return {};
    const std::size_t axes = misfits.front().size();
    std::vector<std::optional<AxisMap>> found{fit_sections(misfits, axes, 3),
                                              fit_interleaved(misfits, axes)};
    if (axes > 3) found.push_back(fit_sections(misfits, axes, axes));
    std::vector<AxisMap> maps;
    for (const auto& map : found)
        if (map) maps.push_back(*map);
    return maps;
}

}  // namespace rope
