#include "plots/figures/decay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plots/svg/ticks.hpp"
#include "rope/frequency/frequency.hpp"

namespace rope::plots {
namespace {

// From 0 to the first tick not below A(0), the greatest: |S_j(s)| ≤ S_j(0).
Axis roformer_axis(std::span<const DecayCurves> curves) {
    double greatest = 0;
    for (const DecayCurves& c : curves) greatest = std::max(greatest, c.roformer.front());
    const double step = decimal_ticks(0, greatest, 8)[1].value;
    const double last = step * std::ceil(greatest / step);
    return {"A(s)", Scale::linear, 0, last, decimal_ticks(0, last, 9)};
}

void add_curve(Figure& figure, const NamedSpec& named, const DecayCurves& curves, int color) {
    figure.panels[0].series.push_back(distance_curve(named.label, color, curves.mean_cos));
    figure.panels[1].series.push_back(distance_curve(named.label, color, curves.roformer));
}

}  // namespace

std::string column_note() {
    return "Line: the mean over a pixel’s distances; band: their least and greatest value.";
}

Series distance_curve(const std::string& label, int color, const std::vector<double>& values) {
    Series series{label, Mark::line, color};
    series.y.assign(values.begin() + 1, values.end());
    series.x.resize(series.y.size());
    for (std::size_t s = 1; s < values.size(); ++s) series.x[s - 1] = static_cast<double>(s);
    return series;
}

Axis distance_axis(std::uint64_t last) {
    const auto x = static_cast<double>(std::max<std::uint64_t>(last, 2));
    return {"distance s", Scale::log2, 1, x, power_of_two_ticks(1, x, 12)};
}

Axis mean_cos_axis(std::span<const DecayCurves> curves) {
    double least = 0;
    for (const DecayCurves& c : curves) {
        least = std::min(least, *std::min_element(c.mean_cos.begin(), c.mean_cos.end()));
    }
    const double first = std::floor(least * 5) / 5;
    return {"B̂(s)", Scale::linear, first, 1, decimal_ticks(first, 1, 11)};
}

Figure decay_figure(std::span<const NamedSpec> specs, std::uint64_t last) {
    std::vector<DecayCurves> curves;
    for (const NamedSpec& named : specs) {
        curves.push_back(decay_curves(plan_frequencies(named.spec, exact_precision), last));
    }
    Figure figure;
    figure.title = "Long-range decay";
    figure.subtitle = shared_parameters(specs);
    figure.notes = {fmt::format("s = 1…{}. {}", last, column_note())};
    figure.description =
        "Two panels against the distance on a logarithmic axis: the mean cosine of all pairs, and "
        "RoFormer's relative upper bound. Both fall in trend and oscillate.";
    figure.parameters = parameters(specs);
    figure.panels.resize(2);
    figure.panels[0].title = "Mean cosine B̂(s) = 2/d · Σᵢ cos sθᵢ";
    figure.panels[1].title = "RoFormer’s bound A(s) = 2/d · Σⱼ |Sⱼ(s)|";
    figure.panels[0].y = mean_cos_axis(curves);
    figure.panels[1].y = roformer_axis(curves);
    for (Panel& panel : figure.panels) panel.x = distance_axis(last);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        add_curve(figure, specs[i], curves[i], static_cast<int>(i));
    }
    return figure;
}

}  // namespace rope::plots
