#include <algorithm>
#include <cmath>
#include <map>

#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

constexpr int most_of_each = 8;  // most rows per position

// Rows of different positions on one axis, ascending, without those that are left out: samples on
// only that axis.
Samples samples_on_axis(const Samples& samples, std::size_t axis) {
    const std::vector<double>& places = samples.positions[axis];
    std::vector<std::size_t> order = numbers_below(places.size());
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

}  // namespace rope
