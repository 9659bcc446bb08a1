#include "rope/checks/decay.hpp"

#include <fmt/format.h>

#include <set>

#include "base/decimal.hpp"
#include "plots/figures/figures.hpp"
#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {
namespace {

// "0.09"; "0.997" near 1, with more decimals than the fewest.
std::string score_text(double score, int fewest = 2) {
    const double decimals = score < 1 ? std::ceil(-std::log10(1 - score)) : fewest;
    return fixed(score, std::clamp(static_cast<int>(decimals), fewest, 15));
}

// The curve whose values fill(blocks, s, y) computes, DecayBlocks::size at a time.
template <class Fill>
Curve curve_of(const std::vector<TurnRate>& rates, std::uint64_t last, Fill fill) {
    return {last, [=](std::uint64_t first, std::span<double> y) {
                DecayBlocks blocks(rates);
                for (std::size_t k = 0; k < y.size(); k += DecayBlocks::size)
                    fill(blocks, first + k, &y[k]);
            }};
}

// Reads the curve of B̂ once.
void add_shape(Decay& decay, TaskCount* distances) {
    constexpr double step = 0x1p-47;  // twice the curve's error of 2⁻⁴⁸
    Series series{""};
    series.curve = decay.score;
    for (PointReader at(series); !at.ended(); at.advance()) {
        const auto s = static_cast<std::uint64_t>(at.x());
        const double now = at.y();
        if (s == 1) decay.at_1 = now;
        if (!decay.first_rise && now - decay.at_last > step) decay.first_rise = {s, now};
        if (s == decay.context) decay.at_n = {s, now};
        if (s <= decay.end && now < decay.least_to_end.score) decay.least_to_end = {s, now};
        if (now < decay.least.score) decay.least = {s, now};
        decay.at_last = now;
        if (distances != nullptr) ++distances->ended;
    }
}

// From the least B̂, or 0, to 1 in steps of 0.2.
Axis score_axis(double least) {
    const double first = std::floor(std::min(least, 0.0) * 5) / 5;
    return {"B̂(s)", Scale::linear, first, 1, decimal_ticks(first, 1, 11)};
}

// The axis from 0 to the first tick ≥ `greatest`.
Axis roformer_axis(double greatest) {
    const double step = decimal_ticks(0, greatest, 8)[1].value;
    const double last = step * std::ceil(greatest / step);
    return {"A(s)", Scale::linear, 0, last, decimal_ticks(0, last, 9)};
}

// "Rings: B̂ at n, the least before n and the first rise.", for the rings drawn.
std::string ring_note(std::span<const Decay> decays) {
    const bool has_n =
        std::ranges::any_of(decays, [](const Decay& decay) { return decay.at_n.has_value(); });
    const bool has_rise = std::ranges::any_of(
        decays, [](const Decay& decay) { return decay.first_rise.has_value(); });
    return fmt::format("Rings: {}{}.",
                       has_n ? "B̂ at n, the least before n"
                             : "the least B̂ up to s = " + grouped(decays.front().score.last),
                       has_rise ? " and the first rise" : "");
}

// The definition of B̂, with the terms that these Specs have.
std::string score_note(std::span<const NamedSpec> specs, std::span<const Decay> decays) {
    std::string note = "B̂(s) = B(s)/B(0), the score of equal tokens, q = k = 1: B(s) = Σᵢ cos sθᵢ";
    const auto passes = [](const NamedSpec& named) {
        return named.spec.rotary_dim < named.spec.head_dim;
    };
    if (std::ranges::any_of(specs, passes)) note += ", +1 for each pair that does not rotate";
    for (std::size_t i = 0; i < specs.size(); ++i)
        if (passes(specs[i]) && decays[i].attention_factor != 1)
            return note + ", without the attention factor.";
    return note + ".";
}
constexpr const char* ripple_note =
    "Ripples: one for each pair, where the distance passes its wavelength.";

// A panel over the distance, with a line at each context in the range.
Panel distance_panel(std::string title, std::span<const NamedSpec> specs, std::uint64_t last) {
    Panel panel;
    panel.title = std::move(title);
    panel.x = distance_axis(last);
    std::set<std::uint64_t> contexts;
    for (const NamedSpec& named : specs) contexts.insert(named.spec.max_position_embeddings);
    for (const std::uint64_t n : contexts)
        if (n <= last) panel.rules.push_back({static_cast<double>(n), "n = " + grouped(n)});
    return panel;
}

// Adds rings at the score at n, at the least score of the context and at the first rise.
void mark_shape(Panel& panel, const Decay& decay) {
    const auto ring = [&](const ScoreAt& at, std::string tag) {
        panel.markers.push_back({static_cast<double>(at.s), at.score, std::move(tag)});
    };
    if (decay.at_n) ring(*decay.at_n, score_text(decay.at_n->score, 3));
    ring(decay.least_to_end, score_text(decay.least_to_end.score, 3));
    if (decay.first_rise) ring(*decay.first_rise, "s = " + grouped(decay.first_rise->s));
}

void add(Panel& panel, std::string label, int color, Curve curve) {
    panel.series.push_back({std::move(label), Mark::line, color, {}, {}, std::move(curve)});
}

Panel decay_panel(const NamedSpec& named, const Decay& decay, int color) {
    Panel panel =
        distance_panel(named.label + " · score of equal tokens", {&named, 1}, decay.score.last);
    panel.subtitle = fmt::format(
        "{} · least to s = {}: {} at {}",
        decay.first_rise ? "rises first at s = " + grouped(decay.first_rise->s)
                         : "falls throughout",
        grouped(decay.score.last), score_text(decay.least.score, 4), grouped(decay.least.s));
    if (decay.context > decay.score.last)
        panel.subtitle +=
            " · drawn to " + grouped(decay.score.last) + " of n = " + grouped(decay.context);
    panel.y = score_axis(decay.least.score);
    add(panel, "B̂(s)", color, decay.score);
    mark_shape(panel, decay);
    return panel;
}

// With other dashes for each earlier Spec whose curve it would hide, up to rounding.
int color_of(std::span<const Decay> decays, std::size_t i) {
    const auto equal = std::ranges::count_if(decays.first(i), [&](const Decay& earlier) {
        const auto is_near = [](double a, double b) { return std::abs(a - b) < 0x1p-40; };
        return is_near(earlier.least.score, decays[i].least.score) &&
               is_near(earlier.at_1, decays[i].at_1) && is_near(earlier.at_last, decays[i].at_last);
    });
    return static_cast<int>(i) + static_cast<int>(equal) * palette_colors;
}

// One panel with this curve of every Spec, with n in the legend if the contexts differ.
Panel overlaid(std::string title, std::span<const NamedSpec> specs, std::span<const Decay> decays,
               std::uint64_t last, Curve Decay::* curve) {
    Panel panel = distance_panel(std::move(title), specs, last);
    const bool differ = panel.rules.size() > 1;
    for (std::size_t i = 0; i < specs.size(); ++i)
        add(panel, specs[i].label + (differ ? ", n = " + grouped(decays[i].context) : ""),
            color_of(decays, i), decays[i].*curve);
    return panel;
}

}  // namespace

std::vector<Decay> decays_of(std::span<const NamedSpec> specs, std::uint64_t last,
                             TaskCount* distances) {
    if (distances != nullptr) distances->all += specs.size() * last;
    std::vector<Decay> decays;
    for (const auto& [label, spec] : specs) {
        const FrequencyPlan plan = plan_frequencies(spec, exact_precision);
        const std::vector<TurnRate> rates = turn_rates(plan.pairs);
        const auto score = [of = spec](DecayBlocks& blocks, std::uint64_t s, double* y) {
            blocks.fill_mean_cos(s, y);
            for (double& each : std::span(y, DecayBlocks::size)) each = equal_score(of, each);
        };
        const auto roformer = [](DecayBlocks& blocks, std::uint64_t s, double* y) {
            double mean_cos[DecayBlocks::size];
            blocks.fill(s, mean_cos, y);
        };
        const std::uint64_t n = spec.max_position_embeddings;
        decays.push_back({.label = label,
                          .context = n,
                          .attention_factor = plan.attention_factor,
                          .score = curve_of(rates, last, score),
                          .roformer = curve_of(rates, last, roformer),
                          .end = std::min(n - 1, last)});
        add_shape(decays.back(), distances);
    }
    return decays;
}

std::string decay_headline(std::span<const Decay> decays) {
    const bool alike =
        std::ranges::adjacent_find(decays, std::not_equal_to<>{}, &Decay::end) == decays.end();
    const std::string start =
        alike ? "Up to s = " + grouped(decays.front().end) : "Within its context";
    std::vector<Quantity> least;
    for (const Decay& decay : decays)
        least.push_back(
            {decay.least_to_end.score, score_text(decay.least_to_end.score), decay.label});
    return fmt::format("{} the least score of equal tokens is {}", start,
                       extremes(std::move(least), "with", ", "));
}

Axis distance_axis(std::uint64_t last) {
    const auto x = static_cast<double>(std::max<std::uint64_t>(last, 2));
    return {"distance s", Scale::log2, 1, x, power_of_two_ticks(1, x, 12)};
}

Figure decay_figure(std::span<const NamedSpec> specs, std::uint64_t last, TaskCount* distances) {
    Figure figure = figure_of(
        specs,
        "Two panels against the distance on a logarithmic axis: the score of equal tokens, and "
        "RoFormer's relative upper bound. Both fall in trend and oscillate.");
    const std::vector<Decay> decays = decays_of(specs, last, distances);
    figure.panels = {overlaid("Score of equal tokens B̂(s)", specs, decays, last, &Decay::score),
                     overlaid("RoFormer’s bound A(s) = 2/d · Σⱼ |Sⱼ(s)|", specs, decays, last,
                              &Decay::roformer)};
    figure.notes = {score_note(specs, decays),
                    fmt::format("s = 1…{}. {}", grouped(last), column_note), ripple_note};
    note_scaled(figure, specs);
    figure.title = decay_headline(decays);
    if (specs.size() <= 2) {
        figure.notes.push_back(ring_note(decays));
        for (const Decay& decay : decays) mark_shape(figure.panels[0], decay);
    }
    const auto pairs = [](const NamedSpec& named) { return named.spec.pairs(); };
    const auto least = [](const Decay& decay) { return decay.least.score; };
    figure.panels[0].y = score_axis(std::ranges::min(decays, {}, least).least.score);
    // A(0): |Sⱼ(0)| = j
    figure.panels[1].y = roformer_axis((std::ranges::max(specs, {}, pairs).spec.pairs() + 1) / 2.0);
    return figure;
}

Figure comparison_figure(std::span<const NamedSpec> specs, std::uint32_t pair, std::uint64_t last,
                         TaskCount* distances) {
    constexpr std::size_t most_columns = 4;  // more would make the figure taller than a screen
    if (specs.size() > most_columns) return decay_figure(specs, last, distances);
    Figure figure = figure_of(
        specs,
        fmt::format(
            "A column for each setting. Above, the angle between two tokens in pair {}, modulo 2π, "
            "against their distance, with rings where property (c3) first fails. Below, the score "
            "of equal tokens against the distance on a logarithmic axis.",
            pair));
    figure.columns = specs.size() == 1 ? 1 : 2;
    const std::vector<Decay> decays = decays_of(specs, last, distances);
    figure.title = decay_headline(decays);
    figure.notes = {score_note(specs, decays), ring_note(decays), column_note, ripple_note};
    const auto color = [](std::size_t i) { return static_cast<int>(i % palette_colors); };
    const std::uint64_t searched = angle_search(specs);
    for (std::size_t first = 0; first < specs.size(); first += 2) {
        const std::size_t end = std::min(first + 2, specs.size());
        for (std::size_t i = first; i < end; ++i) {
            const std::uint64_t drawn = std::min(last, default_angle_distance(specs[i], pair));
            figure.panels.push_back(angle_panel(specs[i], pair, drawn, searched, color(i)));
            figure.panels.back().title += " · angle difference";
        }
        for (std::size_t i = first; i < end; ++i)
            figure.panels.push_back(decay_panel(specs[i], decays[i], color(i)));
    }
    share_y_axes(figure.panels);
    note_angles(figure, pair);
    note_scaled(figure, specs);
    return figure;
}

}  // namespace rope::plots
