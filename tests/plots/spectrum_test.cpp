#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "plots/csv/csv.hpp"
#include "plots/figures/figures.hpp"
#include "plots/stored.hpp"
#include "plots/svg/drawn_series.hpp"
#include "plots/svg/svg.hpp"
#include "plots/xml_checker.hpp"
#include "rope/specs.hpp"

namespace rope::plots {
namespace spectrum_test {

const NamedSpec llama{"Llama-3.1-8B", spec_of(128, 5e5, llama3(8), 131072)};

NamedSpec gemma_4() {
    NamedSpec named{"Gemma 4", spec_of(512, 1e6, {}, 131072)};
    named.spec.scaling.rope_type = "proportional";
    named.spec.scaling.partial_rotary_factor = 0.25;
    return named;
}

Figure figure_of(const std::vector<NamedSpec>& specs, std::optional<std::uint64_t> context = {}) {
    return spectrum_figure(specs, context);
}

TEST(SpectrumFigure, MarksTheBandsAndTheTrainedLength) {
    const Figure figure = figure_of({llama});
    ASSERT_EQ(figure.panels.size(), 2U);
    const Panel& wavelengths = figure.panels[0];
    EXPECT_EQ(wavelengths.subtitle, "pairs 0–28 unscaled, 29–34 blended, 35–63 ÷8");
    ASSERT_EQ(wavelengths.zones.size(), 3U);
    EXPECT_EQ(wavelengths.zones[1].first, 28.5);
    EXPECT_EQ(wavelengths.zones[1].last, 34.5);
    EXPECT_EQ(wavelengths.zones[2].label, "÷8");
    ASSERT_EQ(wavelengths.levels.size(), 2U);
    EXPECT_EQ(wavelengths.levels[0].y, 8192);
    EXPECT_EQ(wavelengths.levels[1].y, 131072);
    EXPECT_EQ(figure.panels[1].subtitle,
              "29 of 64 pairs never complete a turn in the trained 8,192 positions");
}

TEST(SpectrumFigure, ShowsEveryPairUnscaledAndAsPlanned) {
    const Figure figure = figure_of({llama});
    for (const Panel& panel : figure.panels) {
        ASSERT_EQ(panel.series.size(), 2U);
        for (const Series& series : panel.series) {
            ASSERT_EQ(series.y.size(), 64U);
            for (const double y : series.y) {
                EXPECT_LT(panel.y.first, y);
                EXPECT_GT(panel.y.last, y);
            }
        }
    }
    const auto& [unscaled, planned] =
        std::pair(figure.panels[0].series[0].y, figure.panels[0].series[1].y);
    EXPECT_DOUBLE_EQ(planned[28], unscaled[28]);
    EXPECT_DOUBLE_EQ(planned[63], 8 * unscaled[63]);
    const auto& turns = figure.panels[1].series;
    EXPECT_DOUBLE_EQ(turns[0].y[5], 8192 / unscaled[5]);
    EXPECT_DOUBLE_EQ(turns[1].y[5], 131072 / unscaled[5]);
    EXPECT_DOUBLE_EQ(figure_of({llama}, 1024).panels[1].series[1].y[0], 1024 / unscaled[0]);
}

TEST(SpectrumFigure, DrawsAPairThatStandsStillAtTheEdge) {
    for (const Panel& panel : figure_of({gemma_4()}).panels) {
        const std::vector<DrawnSeries> drawn =
            drawn_series(panel, Frame(panel, {0, 0, 480, 250, 0, 0}));
        EXPECT_TRUE(drawn[0].edges.empty());
        EXPECT_GT(drawn[1].edges.size(), 20U);
        EXPECT_EQ(edge_words(panel, panel.series[1], drawn[1].edges[0].is_above),
                  panel.series[1].label + ": never turns");
    }
    const Panel wavelengths = figure_of({gemma_4()}).panels[0];
    EXPECT_TRUE(std::isfinite(wavelengths.series[1].y[63]));
    EXPECT_FALSE(std::isfinite(wavelengths.series[1].y[64]));
    EXPECT_TRUE(std::isfinite(wavelengths.series[0].y[64]));
    EXPECT_TRUE(std::isfinite(wavelengths.y.last));
}

TEST(SpectrumFigure, SaysInItsTitleHowManyPairsNeverTurn) {
    EXPECT_EQ(figure_of({llama}).title,
              "Llama-3.1-8B: 29 of 64 pairs never complete a turn in the trained 8,192 positions");
    const NamedSpec narrow{"narrow", spec_of(64, 1e4)}, two{"two", spec_of(4, 1e4)};
    EXPECT_EQ(
        figure_of({narrow, llama}).title,
        "Pairs that never complete a turn in training: 34 % (11 of 32) in narrow to 45 % (29 of "
        "64) in Llama-3.1-8B");
    EXPECT_EQ(
        figure_of({narrow, two, llama}).title,
        "Pairs that never complete a turn in training: 0 % (0 of 2) in two to 45 % (29 of 64) "
        "in Llama-3.1-8B");
    // more pairs, but a smaller share: 16 % beside 34 %
    EXPECT_EQ(
        figure_of({narrow, {"wide", spec_of(256, 1e3)}, llama}).title,
        "Pairs that never complete a turn in training: 16 % (20 of 128) in wide to 45 % (29 of "
        "64) in Llama-3.1-8B");
    EXPECT_EQ(figure_of({{"a", llama.spec}, {"b", llama.spec}}).title,
              "Pairs that never complete a turn in training: 45 % (29 of 64) in a and b");
    EXPECT_EQ(
        figure_of({{"a", llama.spec}, narrow, {"b", llama.spec}, {"c", llama.spec}}).title,
        "Pairs that never complete a turn in training: 34 % (11 of 32) in narrow to 45 % (29 of "
        "64) in a, b and c");
}

TEST(SpectrumFigure, CallsOneTrainedPositionAPosition) {
    EXPECT_EQ(figure_of({NamedSpec{"short", spec_of(4, 1e4, {}, 1)}}).title,
              "short: 2 of 2 pairs never complete a turn in the one trained position");
}

// It was called blended from pair 1 to 62.
TEST(SpectrumFigure, CallsALargerBaseNoBlend) {
    NamedSpec ntk{"ntk", spec_of(128, 1e4)};
    ntk.spec.scaling = {.rope_type = "ntk", .factor = 8};
    EXPECT_EQ(figure_of({ntk}).panels[0].subtitle, "pair 0 unscaled, 1–63 ÷1.034…8");
}

TEST(SpectrumFigure, HasTheSameAxesInEveryRow) {
    const Figure figure = figure_of({llama, {"narrow", spec_of(64, 1e4)}});
    ASSERT_EQ(figure.panels.size(), 4U);
    for (const std::size_t left : {0U, 1U}) {
        EXPECT_EQ(figure.panels[left].y.first, figure.panels[left + 2].y.first);
        EXPECT_EQ(figure.panels[left].y.last, figure.panels[left + 2].y.last);
        EXPECT_EQ(figure.panels[left].x.last, figure.panels[left + 2].x.last);
        for (const Series& series : figure.panels[left].series)
            for (const double y : series.y) EXPECT_LT(y, figure.panels[left].y.last);
    }
}

TEST(SpectrumFigure, CallsOnePairAPair) {
    EXPECT_EQ(figure_of({{"one", spec_of(2, 1e4)}}).panels[0].subtitle, "pair 0 unscaled");
    NamedSpec longrope{"longrope", spec_of(6, 1e4)};
    longrope.spec.scaling.rope_type = "longrope";
    longrope.spec.scaling.original_max_position_embeddings = 2048;
    longrope.spec.scaling.short_factor = longrope.spec.scaling.long_factor =
        std::vector<double>{1, 2, 4};
    EXPECT_EQ(figure_of({longrope}).panels[0].subtitle, "pair 0 unscaled, 1–2 ÷2…4");
}

TEST(SpectrumFigure, TicksOneTurn) {
    for (const NamedSpec& named : {llama, gemma_4(), NamedSpec{"d = 2", spec_of(2, 1e4)}}) {
        const std::vector<Tick> ticks = figure_of({named}).panels[1].y.ticks;
        EXPECT_TRUE(std::ranges::any_of(ticks, [](const Tick& t) { return t.value == 1; }))
            << named.label;
        EXPECT_LE(ticks.size(), 10U);
    }
}

TEST(SpectrumFigure, DrawsAnyNumberOfSpecs) {
    const Figure figure = figure_of({llama, gemma_4(), {"<&>", spec_of(2, 1)}});
    EXPECT_EQ(figure.panels.size(), 6U);
    const std::string svg = to_svg(figure);
    EXPECT_EQ(XmlChecker::complaint(svg), "");
    EXPECT_EQ(svg, to_svg(figure));
    EXPECT_EQ(to_csv(figure).substr(0, 8), "\"pair i\"");
}

}  // namespace spectrum_test
}  // namespace rope::plots
