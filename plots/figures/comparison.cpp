#include "plots/figures/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "plots/figures/angles.hpp"
#include "plots/svg/typography.hpp"
#include "rope/claims/decay.hpp"
#include "rope/frequency/frequency.hpp"

namespace rope::plots {
namespace {

// B̂ rises first at s; a step below twice the curve's error of 2⁻⁴⁸ proves nothing.
std::string shape_of(const std::vector<double>& mean_cos) {
    const auto rise = std::adjacent_find(mean_cos.begin(), mean_cos.end(),
                                         [](double a, double b) { return b - a > 0x1p-47; });
    const auto least = std::min_element(mean_cos.begin(), mean_cos.end());
    const std::string lowest =
        fmt::format("least {} at s = {}", fixed(*least, 4), least - mean_cos.begin());
    if (rise == mean_cos.end()) return "falls throughout · " + lowest;
    return fmt::format("rises first at s = {} · {}", rise - mean_cos.begin() + 1, lowest);
}

Panel decay_panel(const NamedSpec& named, const DecayCurves& curves, int color) {
    const auto last = static_cast<std::uint64_t>(curves.mean_cos.size() - 1);
    const std::uint64_t n = named.spec.max_position_embeddings;
    Panel panel;
    panel.title = named.label + " · decay of the mean cosine";
    panel.subtitle = shape_of(curves.mean_cos);
    panel.x = distance_axis(last);
    panel.series = {distance_curve("B̂(s)", color, curves.mean_cos)};
    if (n <= last) panel.rules = {{static_cast<double>(n), fmt::format("n = {}", n)}};
    return panel;
}

}  // namespace

Figure comparison_figure(std::span<const NamedSpec> specs, const ComparisonView& view) {
    Figure figure;
    figure.title = "Angle difference and decay";
    figure.subtitle = shared_parameters(specs);
    figure.description = fmt::format(
        "A column for each setting. Above, the angle between two tokens in pair {}, modulo 2π, "
        "against their distance, with rings where property (c3) first fails. Below, the mean "
        "cosine of all pairs against the distance on a logarithmic axis.",
        view.pair);
    figure.notes = {c3_note(view.pair), "B̂(s) = 2/d · Σᵢ cos sθᵢ. " + column_note()};
    figure.columns = static_cast<int>(std::min(view.per_row, specs.size()));
    figure.parameters = parameters(specs);
    std::vector<DecayCurves> curves;
    for (const NamedSpec& named : specs)
        curves.push_back(decay_curves(plan_frequencies(named.spec, exact_precision), view.last));
    for (std::size_t first = 0; first < specs.size(); first += view.per_row) {
        const std::size_t end = std::min(first + view.per_row, specs.size());
        for (std::size_t i = first; i < end; ++i) {
            figure.panels.push_back(angle_panel(specs[i], view.pair, {}, static_cast<int>(i)));
            figure.panels.back().title += " · angle difference";
        }
        for (std::size_t i = first; i < end; ++i) {
            figure.panels.push_back(decay_panel(specs[i], curves[i], static_cast<int>(i)));
            figure.panels.back().y = mean_cos_axis(curves);
        }
    }
    return figure;
}

}  // namespace rope::plots
