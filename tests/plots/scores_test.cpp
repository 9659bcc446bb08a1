#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "plots/figures/figures.hpp"
#include "plots/stored.hpp"
#include "plots/svg/ink.hpp"
#include "plots/svg/labels.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/svg.hpp"
#include "rope/rows/pipeline.hpp"
#include "rope/specs.hpp"

namespace rope::plots::scores_test {

std::vector<PipelineScores> scores_of(const Spec& spec, const std::vector<const char*>& names,
                                      std::uint64_t context) {
    std::vector<PipelineScores> all;
    for (const char* name : names)
        all.push_back({name, score_curve(spec, *emulate(spec, find_pipeline(name), context),
                                         random_vectors(spec, 1))});
    return all;
}

// the score at s = 0, which is not drawn, left most of the panel empty
TEST(ScoresFigure, HasAnAxisForTheDrawnScores) {
    const Spec spec = spec_of(64, 1e4);
    const Figure figure = scores_figure({"", spec}, scores_of(spec, {"exact"}, 2), "");
    const double score = scores_of(spec, {"exact"}, 2)[0].curve->own[1];
    EXPECT_NEAR(figure.panels[0].y.first, score, 0.1 * std::abs(score));
    EXPECT_NEAR(figure.panels[0].y.last, score, 0.1 * std::abs(score));
}

// the line of "bf16-angles from s = 2" crossed four curves, and one ring had two labels.
TEST(ScoresFigure, HasATagNextToEachRing) {
    const Spec spec = spec_of(64, 1e4);
    const Figure figure =
        scores_figure({"base θ", spec},
                      scores_of(spec, {"hf-fp32", "bf16-angles", "tf32", "bf16-table"}, 8192), "");
    const Panel& panel = figure.panels[1];
    const Frame frame(panel, lay_out(figure).boxes[1]);
    const Annotations all = annotate(panel, frame, drawn_series(panel, frame));
    EXPECT_EQ(all.labels.size(), all.markers.size());
    for (const PlacedLabel& placed : all.labels) {
        const auto [left, top, width, height] = placed.room;
        EXPECT_TRUE(std::ranges::any_of(all.markers, [&](const Marker& ring) {
            const double across = std::max({left - ring.x, ring.x - left - width, 0.0});
            const double down = std::max({top - ring.y, ring.y - top - height, 0.0});
            return ring.tag == placed.text && std::hypot(across, down) < 40;
        })) << placed.text;
    }
}

// A pipeline hid an earlier one with the same scores, and the exact score hid those within its line
// width.
TEST(ScoresFigure, DashesACurveThatWouldHideAnEarlierOne) {
    const Spec spec = spec_of(64, 1e4);
    const std::vector<const char*> names = {"hf-fp32", "bf16-table", "vllm-bf16-cache", "ggml"};
    const Figure figure = scores_figure({"base θ", spec}, scores_of(spec, names, 64), "");
    for (const Panel& panel : figure.panels)
        for (std::size_t i = 0; i < panel.series.size(); ++i)
            EXPECT_EQ(dashes(panel.series[i].color).empty(), i != 2 && i < 4) << i;
}

// The axis of errors ended at 2⁻⁴⁰, above the curve, the threshold and the ring of small scores.
TEST(ScoresFigure, HasAxesForScoresOfAnySize) {
    const Spec spec = spec_of(64, 1e4);
    for (const double size : {1e-12, 1e-4, 1.0, 1e30}) {
        const QueryAndKey vectors{std::vector<double>(64, size), std::vector<double>(64, 1)};
        const auto subject = emulate(spec, find_pipeline("bf16-angles"), 4096);
        const Figure figure = scores_figure(
            {"base θ", spec}, {{"bf16-angles", score_curve(spec, *subject, vectors)}}, "");
        const Panel& errors = figure.panels[1];
        ASSERT_EQ(errors.markers.size(), 1U);
        EXPECT_GT(errors.markers[0].y, errors.y.first);
        EXPECT_LT(errors.markers[0].y, errors.y.last);
        EXPECT_GT(errors.levels[0].value, errors.y.first);
        EXPECT_NEAR(std::log2(errors.y.last / errors.y.first), 14, 12);
        EXPECT_LT(lay_out(figure).width, 840);
        EXPECT_EQ(TextBoxes::complaint(to_svg(figure)), "");
    }
}

TEST(ScoresFigure, IsLegible) {
    for (const std::uint64_t context : {2ULL, 100ULL, 70000ULL}) {
        const Spec spec = spec_of(32, 1e4);
        const auto all =
            scores_of(spec, {"hf-fp32", "ggml", "bf16-angles", "chatglm-fp16"}, context);
        const std::string svg =
            to_svg(scores_figure({"base θ", spec}, all, "q and k are standard normal (seed 1)"));
        EXPECT_EQ(TextBoxes::complaint(svg), "");
    }
}

const NamedSpec llama{"Llama-3.1-8B", spec_of(128, 5e5, llama3(8), 131072)};

const NamedSpec gemma_4{
    "Gemma 4",
    spec_of(512, 1e6, {.rope_type = "proportional", .partial_rotary_factor = 0.25}, 131072)};

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
    for (const Panel& panel : figure_of({gemma_4}).panels) {
        const std::vector<DrawnSeries> drawn =
            drawn_series(panel, Frame(panel, {0, 0, 480, 250, 0, 0}));
        EXPECT_TRUE(drawn[0].edges.empty());
        EXPECT_GT(drawn[1].edges.size(), 20U);
        EXPECT_EQ(edge_words(panel, panel.series[1], drawn[1].edges[0].is_above),
                  panel.series[1].label + ": never turns");
    }
    const Panel wavelengths = figure_of({gemma_4}).panels[0];
    EXPECT_TRUE(std::isfinite(wavelengths.series[1].y[63]));
    EXPECT_FALSE(std::isfinite(wavelengths.series[1].y[64]));
    EXPECT_TRUE(std::isfinite(wavelengths.series[0].y[64]));
    EXPECT_TRUE(std::isfinite(wavelengths.y.last));
}

TEST(SpectrumFigure, TicksOneTurn) {
    for (const NamedSpec& named : {llama, gemma_4, NamedSpec{"d = 2", spec_of(2, 1e4)}}) {
        const std::vector<Tick> ticks = figure_of({named}).panels[1].y.ticks;
        EXPECT_TRUE(std::ranges::any_of(ticks, [](const Tick& t) { return t.value == 1; }))
            << named.label;
        EXPECT_LE(ticks.size(), 10U);
    }
}

}  // namespace rope::plots::scores_test
