#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plots/figures/figures.hpp"
#include "plots/svg/drawn_series.hpp"
#include "rope/specs.hpp"

namespace rope::plots {
namespace spectrum_test {

const NamedSpec llama{"Llama-3.1-8B", spec_of(128, 5e5, llama3(8), 131072)};

NamedSpec gemma_4() {
    NamedSpec named{"Gemma 4", spec_of(512, 1e6, {}, 131072)};
    named.spec.scaling = {.rope_type = "proportional", .partial_rotary_factor = 0.25};
    return named;
}

Figure figure_of(const std::vector<NamedSpec>& specs, std::optional<std::uint64_t> context = {}) {
    return spectrum_figure(specs, context);
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

// a line below the dots, and a legend with two names for one curve
TEST(SpectrumFigure, HasALineOnlyWhereItDiffersFromTheDots) {
    const NamedSpec plain{"plain", spec_of(128, 1e4, {}, 2048)};
    const auto lines = [&](const NamedSpec& named, std::optional<std::uint64_t> context = {}) {
        std::vector<std::size_t> counts;
        for (const Panel& panel : figure_of({named}, context).panels)
            counts.push_back(panel.series.size() - 1);
        return counts;
    };
    EXPECT_EQ(lines(plain), (std::vector<std::size_t>{0, 0}));
    EXPECT_EQ(lines(plain, 4096), (std::vector<std::size_t>{0, 1}));
    EXPECT_EQ(lines(llama), (std::vector<std::size_t>{1, 1}));
    EXPECT_EQ(figure_of({plain}).panels[1].subtitle, "") << "it is the title";
}

TEST(SpectrumFigure, DrawsAnUnrotatedPairAtTheEdge) {
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

// "28 % (9 of 64) in a to 45 % (29 of 64) in b" omitted the config that shares the first value
TEST(SpectrumFigure, TitleHasTheLeastAndTheLargestShare) {
    const NamedSpec a{"a", spec_of(128, 1e4, {}, 2048)}, b{"b", spec_of(64, 1e4, {}, 2048)},
        c{"c", spec_of(128, 1e7, {}, 2048)};
    const std::string start = "Pairs that never complete a turn in training: ";
    EXPECT_EQ(figure_of({a, c}).title, start + "36 % in a, 64 % in c");
    EXPECT_EQ(figure_of({a, a}).title, start + "36 % in a");
    EXPECT_EQ(figure_of({c, llama, a}).title, start + "36 % in a to 64 % in c");
    EXPECT_EQ(figure_of({c, b}).title, start + "34 % in b, 64 % in c");
}

TEST(SpectrumFigure, TicksOneTurn) {
    for (const NamedSpec& named : {llama, gemma_4(), NamedSpec{"d = 2", spec_of(2, 1e4)}}) {
        const std::vector<Tick> ticks = figure_of({named}).panels[1].y.ticks;
        EXPECT_TRUE(std::ranges::any_of(ticks, [](const Tick& t) { return t.value == 1; }))
            << named.label;
        EXPECT_LE(ticks.size(), 10U);
    }
}

}  // namespace spectrum_test
}  // namespace rope::plots
