#include "plots/figures/relatives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/grouped.hpp"
#include "plots/figures/decay.hpp"
#include "plots/figures/decays.hpp"
#include "plots/parts/ticks.hpp"
#include "rope/claims/quantities.hpp"

namespace rope::plots {
namespace {

constexpr double lowest = -16;  // e^-16: a ten-millionth of the weight
constexpr int alibi_heads = 8;

// A curve that leaves the panel ends there.
void cut(std::span<double> y) {
    for (double& each : y)
        if (each < lowest) each = std::numeric_limits<double>::quiet_NaN();
}

Curve logit_of(Curve mean_cos, double at_zero) {
    return {mean_cos.last,
            [fill = std::move(mean_cos.fill), at_zero](std::uint64_t first, std::span<double> y) {
                fill(first, y);
                for (double& each : y) each = at_zero * (each - 1);
                cut(y);
            }};
}

Curve alibi(double slope, std::uint64_t last) {
    return {last, [slope](std::uint64_t first, std::span<double> y) {
                for (std::size_t k = 0; k < y.size(); ++k)
                    y[k] = -slope * static_cast<double>(first + k);
                cut(y);
            }};
}

void add(Panel& panel, std::string label, int color, Curve curve) {
    panel.series.push_back({std::move(label), Mark::line, color, {}, {}, std::move(curve)});
}

// A Spec has its colour and an encoding its dashes, as long as there are colours.
int color_of(std::size_t encoding, std::size_t spec, std::size_t specs) {
    const std::size_t row = std::max<std::size_t>(specs, specs > 1 ? palette_colors : 1);
    return static_cast<int>(encoding * row + spec);
}

void add_alibi(Panel& panel, int color, std::uint64_t last) {
    const std::vector<BigReal> slopes = ledger::alibi_slopes(alibi_heads);
    for (const int head : {1, 4, 8}) {
        const double slope = slopes[static_cast<std::size_t>(head) - 1].to_double();
        add(panel, fmt::format("ALiBi, head {} of {}: m = 1/{}", head, alibi_heads, 1 / slope),
            color++, alibi(slope, last));
    }
}

}  // namespace

Figure relatives_figure(std::span<const NamedSpec> specs, std::uint64_t last) {
    Figure figure;
    figure.title = "What distance costs a logit under RoPE, ALiBi and sinusoidal encodings";
    figure.subtitle = shared_parameters(specs);
    figure.description =
        "The logit of two equal tokens less its value at distance 0, against the distance on a "
        "logarithmic axis: under RoPE and with sinusoidal encodings it falls and oscillates, under "
        "ALiBi it is a straight line in the distance, which is cut where it leaves the panel.";
    figure.notes = {
        "RoPE: √d·(B̂(s) − 1), of q = k = 1 in every dimension. Sinusoidal: "
        "(⟨PE(p), PE(p + s)⟩ − d/2)/√d = √d/2·(B̂(s) − 1). ALiBi: −m·s.",
        fmt::format("s = 1…{}. A line ends at {}. {}", grouped(last), "−16", column_note())};
    figure.parameters = parameters(specs);
    Panel panel;
    panel.title = "The logit at s less the one at 0";
    panel.x = distance_axis(last);
    panel.y = {"change of the logit", Scale::linear, lowest, 0, decimal_ticks(lowest, 0, 9)};
    const Decays decays(specs, last);
    for (std::size_t i = 0; i < specs.size(); ++i) {
        const double root = std::sqrt(2.0 * specs[i].spec.pairs());
        const std::string label = specs.size() == 1 ? "" : ", " + specs[i].label;
        add(panel, "RoPE" + label, color_of(0, i, specs.size()),
            logit_of(decays.mean_cos(i), root));
        add(panel, "sinusoidal" + label, color_of(1, i, specs.size()),
            logit_of(decays.mean_cos(i), root / 2));
    }
    add_alibi(panel, color_of(2, 0, specs.size()), last);
    figure.panels = {std::move(panel)};
    return figure;
}

}  // namespace rope::plots
