#include "rope/spec/spectrum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <ranges>

#include "base/grouped.hpp"
#include "base/text.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

constexpr int unscaled_color = 0;
constexpr int planned_color = 1;

// "0–28 unscaled", "29–34 blended", "35–63 ÷8"
std::string band_label(const BandRun& run) {
    if (run.band != Band::interpolated) return std::string(to_string(run.band));
    const std::string least = significant(run.least, 4), most = significant(run.most, 4);
    return "÷" + (least == most ? least : least + "…" + most);
}

std::vector<Zone> zones(std::span<const BandRun> runs) {
    std::vector<Zone> zones;
    if (runs.size() == 1) return zones;
    for (const BandRun& run : runs)
        zones.push_back(
            {run.first - 0.5, run.last + 0.5, band_label(run), static_cast<int>(run.band)});
    return zones;
}

std::string summary(std::span<const BandRun> runs) {
    constexpr std::size_t most = 4;  // more would not fit
    if (runs.size() > most) return fmt::format("{} bands", runs.size());
    std::string text;
    for (const BandRun& run : runs)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", range(run.first, run.last),
                            band_label(run));
    return (runs.front().first == runs.front().last ? "pair " : "pairs ") + text;
}

std::string never_turning(const Spec& spec, const CriticalDimension& critical) {
    if (!has_trained_length(spec)) return "the length of training is not known";
    const std::size_t pairs = spec.pairs();
    const std::uint64_t trained = critical.trained_length;
    const std::string length = trained == 1
                                   ? "in the one trained position"
                                   : fmt::format("in the trained {} positions", grouped(trained));
    if (critical.never_turn.empty()) return "every pair completes a turn " + length;
    return fmt::format("{} of {} pairs never complete a turn {}", critical.never_turn.size(), pairs,
                       length);
}

Axis pair_axis(std::size_t pairs) {
    const double step = std::max(1.0, static_cast<double>(std::bit_ceil(pairs)) / 8);
    const auto last = static_cast<double>(pairs - 1);
    return {"pair i", Scale::linear, -0.5, last + 0.5, multiples(step, last)};
}

// "29 of 64 pairs never complete a turn …" of one Spec; of several the least and the largest
// share of them.
std::string spectrum_headline(std::span<const NamedSpec> specs,
                              std::span<const CriticalDimension> critical) {
    if (specs.size() == 1) return specs[0].label + ": " + never_turning(specs[0].spec, critical[0]);
    const auto still = [&](std::size_t i) { return critical[i].never_turn.size(); };
    const auto share = [&](std::size_t i) {
        return static_cast<double>(still(i)) / specs[i].spec.pairs();
    };
    const auto [least, most] =
        std::ranges::minmax(std::views::iota(std::size_t{0}, specs.size()), {}, share);
    const auto count = [&](std::size_t i) {
        return fmt::format("{} of {} in {}", still(i), specs[i].spec.pairs(), specs[i].label);
    };
    return "Pairs that never complete a turn in training: " + count(most) +
           (specs.size() > 2 ? " to " : ", ") + count(least);
}

// Around all values of the series and the levels of the panels, which share it, with room below
// for the zones' labels.
Axis log_axis(std::string label, std::span<const Panel* const> panels) {
    double least = panels[0]->levels.front().y, most = least;
    const auto include = [&](double y) {
        if (!std::isfinite(y)) return;
        least = std::min(least, y);
        most = std::max(most, y);
    };
    for (const Panel* panel : panels) {
        for (const Level& level : panel->levels) include(level.y);
        for (const Series& series : panel->series) std::ranges::for_each(series.y, include);
    }
    const double octaves = std::max(1.0, std::log2(most / least));
    const double first = least * std::exp2(-0.12 * octaves);
    const double last = most * std::exp2(0.06 * octaves);
    Axis axis{std::move(label), Scale::log2, first, last, {}};
    const int stride = static_cast<int>(octaves / 7) + 1;  // ticks at its multiples: at one turn
    const int lowest = static_cast<int>(std::ceil(std::log2(first) / stride)) * stride;
    for (int k = lowest; k <= std::log2(last); k += stride)
        axis.ticks.push_back({std::ldexp(1.0, k), "2" + superscript(k)});
    return axis;
}

template <typename Of>
Series per_pair(std::string label, Mark mark, int color, std::span<const SpectralPair> pairs,
                Of of) {
    Series series{std::move(label), mark, color};
    for (const SpectralPair& pair : pairs) {
        series.x.push_back(static_cast<double>(series.x.size()));
        series.y.push_back(of(pair));
    }
    return series;
}

double unscaled_wavelength(const SpectralPair& pair) {
    return 2 * std::numbers::pi / pair.unscaled;
}

Panel wavelength_panel(const NamedSpec& named, std::span<const SpectralPair> pairs,
                       std::uint64_t trained, std::uint64_t context) {
    Panel panel;
    panel.title = named.label + " · wavelength";
    panel.series = {per_pair("unscaled", Mark::line, unscaled_color, pairs, unscaled_wavelength),
                    per_pair(named.spec.scaling.rope_type, Mark::dots, planned_color, pairs,
                             [](const SpectralPair& pair) { return pair.wavelength; })};
    const char* name = has_trained_length(named.spec) ? "trained length " : "longest context ";
    panel.levels = {{static_cast<double>(trained), name + grouped(trained)}};
    if (context != trained)
        panel.levels.push_back({static_cast<double>(context), "context " + grouped(context)});
    panel.subtitle = summary(band_runs(pairs));
    return panel;
}

Panel turns_panel(const NamedSpec& named, std::span<const SpectralPair> pairs,
                  std::uint64_t trained, std::uint64_t context) {
    Panel panel;
    panel.title = named.label + " · turns";
    panel.series = {per_pair("unscaled in " + grouped(trained), Mark::line, unscaled_color, pairs,
                             [&](const SpectralPair& pair) {
                                 return static_cast<double>(trained) / unscaled_wavelength(pair);
                             }),
                    per_pair(named.spec.scaling.rope_type + " in " + grouped(context), Mark::dots,
                             planned_color, pairs, [&](const SpectralPair& pair) {
                                 return pair.band == Band::still
                                            ? std::nan("")
                                            : pair.turns(static_cast<double>(context));
                             })};
    panel.levels = {{1, "one turn"}};
    return panel;
}

void share_axes(Figure& figure) {
    for (const std::size_t column : {0U, 1U}) {
        std::vector<const Panel*> panels;
        for (std::size_t i = column; i < figure.panels.size(); i += 2)
            panels.push_back(&figure.panels[i]);
        const Axis axis = log_axis(column == 0 ? "positions to a turn" : "turns", panels);
        for (std::size_t i = column; i < figure.panels.size(); i += 2) figure.panels[i].y = axis;
    }
}

}  // namespace

Figure spectrum_figure(std::span<const NamedSpec> specs, std::optional<std::uint64_t> context) {
    Figure figure;
    figure.subtitle = shared_parameters(specs);
    figure.description =
        "A row for each setting. Left, how many positions each pair takes for a turn, on a "
        "logarithmic axis; right, how many turns it makes. The line is the frequency without "
        "scaling, the dots are as the config asks.";
    figure.notes = {
        "Wavelength and turns of each pair: θᵢ = inv_freq of pair i; a turn takes 2π/θᵢ positions. "
        "Line: base^(−2i/d), without scaling; dots: as the config asks. A pair that does not "
        "rotate "
        "has no dot."};
    figure.columns = 2;
    figure.parameters = parameters(specs);
    std::vector<CriticalDimension> critical;
    for (const NamedSpec& named : specs) {
        const std::vector<SpectralPair> pairs = spectrum(named.spec);
        critical.push_back(critical_dimension(named.spec, pairs));
        const std::uint64_t trained = critical.back().trained_length;
        const std::uint64_t length = context.value_or(named.spec.max_position_embeddings);
        figure.panels.push_back(wavelength_panel(named, pairs, trained, length));
        figure.panels.push_back(turns_panel(named, pairs, trained, length));
        figure.panels.back().subtitle = never_turning(named.spec, critical.back());
        for (Panel& panel : std::span(figure.panels).last(2)) {
            panel.x = pair_axis(pairs.size());
            panel.zones = zones(band_runs(pairs));
        }
    }
    figure.title = spectrum_headline(specs, critical);
    share_axes(figure);
    return figure;
}

}  // namespace rope::plots
