#include "rope/spec/spectrum.hpp"

#include <fmt/format.h>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

constexpr int unscaled_color = 0;
constexpr int planned_color = 1;

// "unscaled", "blended", "÷8"
std::string band_label(const BandRun& run) {
    if (run.band == Band::still) return "no rotation";
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
    constexpr std::size_t most = 4;  // as many as fit
    if (runs.size() > most) return fmt::format("{} bands", runs.size());
    const auto named = [](const BandRun& run) {
        return range(run.first, run.last) + " " + band_label(run);
    };
    return (runs.front().first == runs.front().last ? "pair " : "pairs ") + join(runs, named);
}

std::string never_turning(const Spec& spec, const CriticalDimension& critical) {
    if (!has_trained_length(spec)) return "the length of training is not known";
    const std::size_t pairs = spec.pairs();
    const std::uint64_t trained = critical.trained_length;
    const std::string length =
        fmt::format("in {} position{}", grouped(trained), trained == 1 ? "" : "s");
    if (critical.never_turn.empty()) return "every pair completes a turn " + length;
    return fmt::format("{} of {} pairs never complete a turn {}", critical.never_turn.size(), pairs,
                       length);
}

// "29 of 64 pairs never complete a turn …" for one Spec; for several the smallest and largest
// share.
std::string spectrum_headline(std::span<const NamedSpec> specs,
                              std::span<const CriticalDimension> critical) {
    if (specs.size() == 1) return specs[0].label + ": " + never_turning(specs[0].spec, critical[0]);
    std::vector<Quantity> shares;
    for (std::size_t i = 0; i < specs.size(); ++i) {
        if (!has_trained_length(specs[i].spec)) continue;
        const double percent =
            100.0 * static_cast<double>(critical[i].never_turn.size()) / specs[i].spec.pairs();
        shares.push_back({percent, fixed(percent, 0) + " %", specs[i].label});
    }
    const std::size_t unknown = specs.size() - shares.size();
    if (shares.empty()) return "The length of training is not known";
    const std::string text =
        "Pairs that never complete a turn: " + extremes(std::move(shares), "in", ", ");
    return unknown == 0 ? text : fmt::format("{}; not known of {}", text, unknown);
}

double unscaled_wavelength(const SpectralPair& pair) {
    return 2 * std::numbers::pi / pair.unscaled;
}

bool is_unscaled(std::span<const SpectralPair> pairs) {
    return std::ranges::all_of(
        pairs, [](Band band) { return band == Band::unscaled; }, &SpectralPair::band);
}

// Without a line if it would be below the dots.
Panel wavelength_panel(const NamedSpec& named, std::span<const SpectralPair> pairs,
                       const CriticalDimension& critical, std::uint64_t context) {
    Panel panel;
    panel.title = named.label + " · wavelength";
    if (!is_unscaled(pairs))
        panel.series = {
            per_index("unscaled", Mark::line, unscaled_color, pairs, unscaled_wavelength)};
    panel.series.push_back(per_index(named.spec.scaling.rope_type, Mark::dots, planned_color, pairs,
                                     &SpectralPair::wavelength));
    const std::uint64_t trained = critical.trained_length;
    const bool is_original = trained < named.spec.max_position_embeddings;
    panel.levels = {{static_cast<double>(trained),
                     (is_original ? "trained " : "max_position_embeddings ") + grouped(trained)}};
    if (context != trained)
        panel.levels.push_back({static_cast<double>(context), "context " + grouped(context)});
    panel.subtitle = summary(band_runs(pairs));
    panel.y = log_axis("positions", extent_of(panel));
    panel.y.above = "never turns";
    return panel;
}

Panel turns_panel(const NamedSpec& named, std::span<const SpectralPair> pairs,
                  std::uint64_t trained, std::uint64_t context) {
    Panel panel;
    panel.title = named.label + " · turns";
    const auto length = static_cast<double>(trained);
    if (!is_unscaled(pairs) || context != trained)
        panel.series = {per_index(
            "unscaled in " + grouped(trained), Mark::line, unscaled_color, pairs,
            [&](const SpectralPair& pair) { return length / unscaled_wavelength(pair); })};
    panel.series.push_back(per_index(
        named.spec.scaling.rope_type + " in " + grouped(context), Mark::dots, planned_color, pairs,
        [&](const SpectralPair& pair) { return pair.turns(static_cast<double>(context)); }));
    panel.levels = {{1, "one turn"}};
    panel.y = log_axis("turns", extent_of(panel));
    panel.y.below = "never turns";
    return panel;
}

}  // namespace

Figure spectrum_figure(std::span<const NamedSpec> specs, std::optional<std::uint64_t> context) {
    Figure figure = figure_of(
        specs,
        "A row for each setting. Left, how many positions each pair takes for a turn, on a "
        "logarithmic axis; right, how many turns it makes. The line is the frequency without "
        "scaling, the dots are as the config asks.");
    figure.notes = {
        "Pair i has inv_freq θᵢ; a turn takes 2π/θᵢ positions. Dots: as the config asks. Line, "
        "where it differs: base^(−2i/d), without scaling."};
    figure.columns = 2;
    std::vector<CriticalDimension> critical;
    std::size_t most_pairs = 0;
    for (const NamedSpec& named : specs) {
        const std::vector<SpectralPair> pairs = spectrum(named.spec);
        critical.push_back(critical_dimension(named.spec, pairs));
        const std::uint64_t trained = critical.back().trained_length;
        const std::uint64_t length = context.value_or(named.spec.max_position_embeddings);
        figure.panels.push_back(wavelength_panel(named, pairs, critical.back(), length));
        figure.panels.push_back(turns_panel(named, pairs, trained, length));
        if (specs.size() > 1)
            figure.panels.back().subtitle = never_turning(named.spec, critical.back());
        for (Panel& panel : std::span(figure.panels).last(2)) panel.zones = zones(band_runs(pairs));
        most_pairs = std::max(most_pairs, pairs.size());
    }
    figure.title = spectrum_headline(specs, critical);
    share_y_axes(figure.panels);
    for (Panel& panel : figure.panels) panel.x = pair_axis(most_pairs);
    return figure;
}

}  // namespace rope::plots
