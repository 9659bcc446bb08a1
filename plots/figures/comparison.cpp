#include "plots/figures/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/grouped.hpp"
#include "plots/figures/angles.hpp"
#include "plots/figures/decays.hpp"
#include "plots/text/typography.hpp"

namespace rope::plots {
namespace {

std::string words(const MeanCosShape& shape) {
    const std::string lowest =
        fmt::format("least {} at s = {}", fixed(shape.least, 4), grouped(shape.least_at));
    if (!shape.first_rise) return "falls throughout · " + lowest;
    return fmt::format("rises first at s = {} · {}", grouped(*shape.first_rise), lowest);
}

Panel decay_panel(const NamedSpec& named, const MeanCosShape& shape, Curve curve, int color) {
    const std::uint64_t last = curve.last;
    const std::uint64_t n = named.spec.max_position_embeddings;
    Panel panel;
    panel.title = named.label + " · decay of the mean cosine";
    panel.subtitle = words(shape);
    panel.x = distance_axis(last);
    panel.series = {{"B̂(s)", Mark::line, color, {}, {}, std::move(curve)}};
    if (n <= last) panel.rules = {{static_cast<double>(n), "n = " + grouped(n)}};
    return panel;
}

// "Pair 0 turns alike with base 1 and base 2", of the first Spec that others are like.
std::optional<std::string> alike_note(std::span<const NamedSpec> specs, std::uint32_t pair) {
    for (std::size_t i = 0; i < specs.size(); ++i) {
        std::string names = specs[i].label;
        for (const NamedSpec& other : specs.subspan(i + 1))
            if (draw_alike(specs[i], other, pair)) names += " and " + other.label;
        if (names != specs[i].label)
            return fmt::format(
                "Pair {} turns alike with {}: their angles are the same panel; "
                "--pair draws another.",
                pair, names);
    }
    return std::nullopt;
}

}  // namespace

Figure comparison_figure(std::span<const NamedSpec> specs, const ComparisonView& view,
                         TaskCount* distances) {
    Figure figure;
    figure.subtitle = shared_parameters(specs);
    figure.description = fmt::format(
        "A column for each setting. Above, the angle between two tokens in pair {}, modulo 2π, "
        "against their distance, with rings where property (c3) first fails. Below, the mean "
        "cosine of all pairs against the distance on a logarithmic axis.",
        view.pair);
    figure.notes = {c3_note(view.pair), "B̂(s) = 2/d · Σᵢ cos sθᵢ. " + column_note()};
    if (const auto note = alike_note(specs, view.pair))
        figure.notes.insert(figure.notes.begin(), *note);
    figure.columns = static_cast<int>(std::min(view.per_row, specs.size()));
    figure.parameters = parameters(specs);
    const Decays decays(specs, view.last, distances);
    std::vector<MeanCosShape> shapes;
    for (std::size_t i = 0; i < specs.size(); ++i) shapes.push_back(decays.mean_cos_shape(i));
    figure.title = decay_headline(specs, shapes, view.last);
    double least = 0;
    for (const MeanCosShape& shape : shapes) least = std::min(least, shape.least);
    const auto color = [](std::size_t i) { return static_cast<int>(i % palette_colors); };
    for (std::size_t first = 0; first < specs.size(); first += view.per_row) {
        const std::size_t end = std::min(first + view.per_row, specs.size());
        for (std::size_t i = first; i < end; ++i) {
            figure.panels.push_back(angle_panel(specs[i], view.pair, {}, color(i)));
            figure.panels.back().title += " · angle difference";
        }
        for (std::size_t i = first; i < end; ++i) {
            figure.panels.push_back(decay_panel(specs[i], shapes[i], decays.mean_cos(i), color(i)));
            figure.panels.back().y = mean_cos_axis(least);
        }
    }
    return figure;
}

}  // namespace rope::plots
