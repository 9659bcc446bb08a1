#include "plots/figures/decay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/grouped.hpp"
#include "plots/figures/decays.hpp"
#include "plots/figures/headline.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

// From 0 to the first tick not below the greatest.
Axis roformer_axis(double greatest) {
    const double step = decimal_ticks(0, greatest, 8)[1].value;
    const double last = step * std::ceil(greatest / step);
    return {"A(s)", Scale::linear, 0, last, decimal_ticks(0, last, 9)};
}

}  // namespace

std::string decay_headline(std::span<const NamedSpec> specs, std::span<const MeanCosShape> shapes,
                           std::uint64_t last) {
    std::vector<Event> rises;
    for (std::size_t i = 0; i < specs.size(); ++i)
        rises.push_back({specs[i].label, shapes[i].first_rise});
    return headline("Score of two equal tokens", "rises", rises, last);
}

std::string column_note() {
    return "Line: the mean over a pixel’s distances; band: their least and greatest value.";
}

Axis distance_axis(std::uint64_t last) {
    const auto x = static_cast<double>(std::max<std::uint64_t>(last, 2));
    return {"distance s", Scale::log2, 1, x, power_of_two_ticks(1, x, 12)};
}

Axis mean_cos_axis(double least) {
    const double first = std::floor(least * 5) / 5;
    return {"B̂(s)", Scale::linear, first, 1, decimal_ticks(first, 1, 11)};
}

Figure decay_figure(std::span<const NamedSpec> specs, std::uint64_t last, TaskCount* distances) {
    Figure figure;
    figure.subtitle = shared_parameters(specs);
    figure.notes = {fmt::format("s = 1…{}. {}", grouped(last), column_note())};
    figure.description =
        "Two panels against the distance on a logarithmic axis: the mean cosine of all pairs, and "
        "RoFormer's relative upper bound. Both fall in trend and oscillate.";
    figure.parameters = parameters(specs);
    figure.panels.resize(2);
    figure.panels[0].title = "Mean cosine B̂(s) = 2/d · Σᵢ cos sθᵢ";
    figure.panels[1].title = "RoFormer’s bound A(s) = 2/d · Σⱼ |Sⱼ(s)|";
    const Decays decays(specs, last, distances);
    std::vector<MeanCosShape> shapes;
    double least = 0, greatest = 0;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        shapes.push_back(decays.mean_cos_shape(i));
        least = std::min(least, shapes.back().least);
        greatest = std::max(greatest, decays.roformer_at_zero(i));
        const auto add = [&](Panel& panel, Curve curve) {
            panel.series.push_back(
                {specs[i].label, Mark::line, static_cast<int>(i), {}, {}, std::move(curve)});
        };
        add(figure.panels[0], decays.mean_cos(i));
        add(figure.panels[1], decays.roformer(i));
    }
    figure.title = decay_headline(specs, shapes, last);
    figure.panels[0].y = mean_cos_axis(least);
    figure.panels[1].y = roformer_axis(greatest);
    for (Panel& panel : figure.panels) panel.x = distance_axis(last);
    return figure;
}

}  // namespace rope::plots
