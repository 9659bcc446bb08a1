#include "rope/diagnose/identity/most_axes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/identity/identity_candidates.hpp"
#include "rope/diagnose/identity/pairs_on_axes.hpp"
#include "rope/evidence/fit_axes.hpp"

namespace rope {
namespace {

constexpr double least_better = 0.05;  // of another than a known map
constexpr double most_at_odds = 1.5;   // pairs that follow an axis, but not their own

Samples these_rows_of(const Samples& samples, const std::vector<std::size_t>& rows) {
    Samples some = samples;
    for (std::vector<double>& places : some.positions) places.clear();
    some.angle.clear();
    some.modulus.clear();
    const auto append = [&](std::vector<double>& to, const std::vector<double>& from,
                            std::size_t row) {
        const auto first = from.begin() + static_cast<std::ptrdiff_t>(row * samples.pairs);
        to.insert(to.end(), first, first + samples.pairs);
    };
    for (const std::size_t row : rows) {
        for (std::size_t a = 0; a < some.positions.size(); ++a)
            some.positions[a].push_back(samples.positions[a][row]);
        append(some.angle, samples.angle, row);
        append(some.modulus, samples.modulus, row);
    }
    return some;
}

// Maps of M-RoPE with the axis that each pair follows by them, in an order of the axes.
struct AxesInOrder {
    AxisMap map;
    std::vector<std::uint32_t> axis;
    double misfit = HUGE_VAL;
};

AxesInOrder in_order(const AxisMap& map, const std::vector<std::uint32_t>& order,
                     const AxisMisfits& misfits) {
    AxesInOrder one{map, axis_of_pairs(map, static_cast<std::uint32_t>(misfits.size())), 0};
    for (std::size_t i = 0; i < misfits.size(); ++i) {
        one.axis[i] = order[one.axis[i]];
        one.misfit += misfits[i][one.axis[i]];
    }
    return one;
}

// Known maps first: of what the dump leaves open they are as good as any.
AxesInOrder best_in_order(const std::vector<AxisMap>& known,
                          const std::vector<std::uint32_t>& order, const AxisMisfits& misfits) {
    AxisMisfits ordered;
    for (const auto& of_pair : misfits) {
        ordered.emplace_back();
        for (const std::uint32_t a : order) ordered.back().push_back(of_pair[a]);
    }
    AxesInOrder best;
    const auto take_better = [&](const std::vector<AxisMap>& maps, double by) {
        for (const AxisMap& map : maps) {
            AxesInOrder one = in_order(map, order, misfits);
            if (one.misfit < best.misfit - by) best = std::move(one);
        }
    };
    take_better(known, 0);
    take_better(maps_of_least_misfit(ordered), least_better);
    return best;
}

// Another order only where it is right of many more pairs.
AxesInOrder best_axes(const std::vector<AxisMap>& known, const AxisMisfits& misfits) {
    std::vector<std::uint32_t> order(axes_of_mrope);
    std::iota(order.begin(), order.end(), 0U);
    AxesInOrder best = best_in_order(known, order, misfits);
    double by = static_cast<double>(misfits.size()) / 8;
    while (std::next_permutation(order.begin(), order.end())) {
        AxesInOrder one = best_in_order(known, order, misfits);
        if (!(one.misfit < best.misfit - by)) continue;
        best = std::move(one);
        by = 0;
    }
    return best;
}

// Whether pairs that follow some axis follow their own, and some pair of each axis tells: of all
// but one, whose pairs are slow, where the map is a published model's.
bool is_certain(const AxesInOrder& axes, const PairsOnAxes& pairs, bool is_known) {
    std::vector<std::size_t> told(axes_of_mrope);
    double at_odds = 0;
    for (std::size_t i = 0; i < axes.axis.size(); ++i) {
        const std::vector<double>& misfits = pairs.misfits()[i];
        const double own = misfits[axes.axis[i]];
        at_odds += own - *std::ranges::min_element(misfits);
        if (pairs.tells(i) && own < 0.5) ++told[axes.axis[i]];
    }
    return at_odds <= most_at_odds && std::ranges::count(told, 0U) <= (is_known ? 1 : 0);
}

}  // namespace

MostLines lines_of_most_by_axis(const Samples& samples, const std::vector<std::size_t>& rows) {
    const Samples some = these_rows_of(samples, rows);
    MostLines most;
    most.on_axes = fit_lines_on_each_axis(some);
    most.lines = best_lines(most.on_axes);
    most.rows = rows.size();
    // as many rows as each axis has positions
    for (PhaseLine& line : most.lines)
        if (line.is_known()) line.rows = most.rows;
    most.is_said = said_pairs(some);
    return most;
}

std::optional<MostAxes> axes_of_most(const Samples& samples, const std::vector<double>& theta,
                                     const std::vector<PhaseLine>& lines,
                                     std::span<const Spec> known) {
    if (samples.positions.size() != axes_of_mrope) return std::nullopt;
    const PairsOnAxes pairs(samples, theta, lines);
    const std::vector<AxisMap> maps = known_maps(known, samples.pairs, axes_of_mrope);
    const AxesInOrder best = best_axes(maps, pairs.misfits());
    const bool is_known = std::ranges::find(maps, best.map) != maps.end();
    if (best.axis.empty() || !is_certain(best, pairs, is_known)) return std::nullopt;
    return MostAxes{best.map, pairs.rows_on(best.axis)};
}

}  // namespace rope
