#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plots/figures/figures.hpp"
#include "plots/stored.hpp"
#include "plots/svg/annotations.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/svg.hpp"
#include "plots/text_boxes.hpp"
#include "plots/xml_checker.hpp"
#include "rope/specs.hpp"
#include "rope/subject/emulate.hpp"

namespace rope::plots {
namespace scores_test {

std::vector<PipelineScores> scores_of(const Spec& spec, const std::vector<const char*>& names,
                                      std::uint64_t context) {
    std::vector<PipelineScores> all;
    for (const char* name : names)
        all.push_back({name, score_curve(spec, *emulate(spec, find_pipeline(name), context), 1)});
    return all;
}

TEST(ScoresFigure, NamesEveryCurveOnce) {
    const Spec spec = spec_of(64, 1e4);
    const Figure one = scores_figure({"base θ", spec}, scores_of(spec, {"exact"}, 64), "");
    EXPECT_NE(one.panels[0].series[0].label, one.panels[0].series[1].label);
    EXPECT_EQ(one.panels[1].title, "How far off with exact");
    const Figure two =
        scores_figure({"base θ", spec}, scores_of(spec, {"exact", "hf-fp32"}, 64), "");
    EXPECT_EQ(two.panels[1].title, "How far off");
}

TEST(ScoresFigure, DrawsEveryPipelineBesideTheExactScores) {
    const Spec spec = spec_of(64, 1e4);
    const auto all = scores_of(spec, {"hf-fp32", "bf16-angles"}, 4096);
    const Figure figure = scores_figure({"base θ", spec}, all, "q and k are as given");
    ASSERT_EQ(figure.panels.size(), 2U);
    ASSERT_EQ(figure.panels[0].series.size(), 3U);
    EXPECT_EQ(figure.panels[0].series[2].label, "exact score");
    for (std::size_t i = 0; i < 2; ++i) {
        const Series score = stored(figure.panels[0].series[i]);
        const Series off = stored(figure.panels[1].series[i]);
        ASSERT_EQ(score.x.size(), 4095U);
        for (const std::size_t s : {1U, 77U, 4095U}) {
            EXPECT_EQ(score.x[s - 1], static_cast<double>(s));
            EXPECT_EQ(score.y[s - 1], all[i].curve.own[s]);
            EXPECT_NEAR(off.y[s - 1], std::abs(all[i].curve.own[s] - all[i].curve.exact[s]), 1e-12);
        }
    }
    ASSERT_EQ(figure.panels[1].markers.size(), 1U);
    EXPECT_EQ(figure.panels[1].markers[0].x, static_cast<double>(*all[1].curve.first_off));
    EXPECT_GT(figure.panels[1].markers[0].y, figure.panels[1].levels[0].y);
    EXPECT_EQ(figure.title, "Scores are off from s = " + std::to_string(*all[1].curve.first_off) +
                                " with bf16-angles; right up to s = 4,095 with hf-fp32");
}

// Angles of float16 overflow beyond position 65,504, and with the query's every score.
TEST(ScoresFigure, NamesWhatIsNotFinite) {
    const Spec spec = spec_of(64, 1e4);
    const auto figure_of = [&](std::uint64_t context) {
        return scores_figure({"base θ", spec},
                             scores_of(spec, {"hf-fp32", "chatglm-fp16"}, context), "");
    };
    const auto names_it = [](const Figure& figure) {
        return std::ranges::any_of(figure.notes, [](const std::string& note) {
            return note.find("not finite") != std::string::npos;
        });
    };
    const Figure beyond = figure_of(131072);
    EXPECT_EQ(
        beyond.notes.back(),
        "chatglm-fp16 is not finite at 131,072 of 131,072 distances, marked at the upper edge.");
    EXPECT_EQ(beyond.title,
              "Scores are not finite from s = 0 with chatglm-fp16; right up to s = 131,071 with "
              "hf-fp32");
    const Layout layout = lay_out(beyond);
    for (std::size_t i = 0; i < 2; ++i) {
        const Panel& panel = beyond.panels[i];
        const Frame frame(panel, layout.boxes[i]);
        const std::vector<DrawnSeries> drawn = drawn_series(panel, frame);
        EXPECT_TRUE(drawn[0].edges.empty());
        EXPECT_GT(drawn[1].edges.size(), 50U);
        EXPECT_TRUE(std::ranges::all_of(drawn[1].edges, &Edge::is_above));
        EXPECT_TRUE(
            std::ranges::any_of(place_labels(panel, frame, drawn), [](const PlacedLabel& placed) {
                return placed.label.text == "chatglm-fp16: not finite";
            }));
    }
    EXPECT_FALSE(names_it(figure_of(4096)));
}

// "bf16-angles from s = 2" was led across four curves, and one ring had two tags.
TEST(ScoresFigure, LeadsNoLineAcrossACurve) {
    const Spec spec = spec_of(64, 1e4);
    const Figure figure =
        scores_figure({"base θ", spec},
                      scores_of(spec, {"hf-fp32", "bf16-angles", "tf32", "bf16-table"}, 8192), "");
    const Panel& panel = figure.panels[1];
    const Frame frame(panel, lay_out(figure).boxes[1]);
    const std::vector<DrawnSeries> drawn = drawn_series(panel, frame);
    std::size_t tags = 0;
    for (const PlacedLabel& placed : place_labels(panel, frame, drawn)) {
        if (placed.label.of) ++tags;
        const auto leader = leader_of(placed.label, placed.room);
        if (!leader) continue;
        for (double share = 0.2; share <= 1; share += 0.05) {
            const double x = leader->from.x + share * (leader->to.x - leader->from.x);
            const double y = leader->from.y + share * (leader->to.y - leader->from.y);
            for (const DrawnSeries& each : drawn)
                for (const auto& run : each.runs)
                    for (const Column& column : run)
                        EXPECT_FALSE(std::abs(column.x - x) < 0.5 && std::abs(column.mean - y) < 1)
                            << placed.label.text;
        }
    }
    EXPECT_GE(tags, 1U);
    EXPECT_LE(tags, 2U);
}

TEST(ScoresFigure, NamesAllPipelinesInItsTitle) {
    const Spec spec = spec_of(64, 1e4);
    const auto title = [&](const std::vector<const char*>& names) {
        return scores_figure({"base θ", spec}, scores_of(spec, names, 131072), "").title;
    };
    const std::string all = title({"hf-fp32", "chatglm-fp16", "bf16-angles", "bf16-table", "ggml"});
    for (const char* words : {"not finite from s = 0 with chatglm-fp16", "with bf16-angles",
                              "right up to s = 131,071 with hf-fp32, bf16-table and ggml"})
        EXPECT_NE(all.find(words), std::string::npos) << all;
}

TEST(ScoresFigure, IsLegible) {
    for (const std::uint64_t context : {2ULL, 100ULL, 70000ULL}) {
        const Spec spec = spec_of(32, 1e4);
        const auto all =
            scores_of(spec, {"hf-fp32", "ggml", "bf16-angles", "chatglm-fp16"}, context);
        const std::string svg =
            to_svg(scores_figure({"base θ", spec}, all, "q and k are standard normal (seed 1)"));
        EXPECT_EQ(XmlChecker::complaint(svg), "");
        EXPECT_EQ(TextBoxes::complaint(svg), "");
    }
}

}  // namespace scores_test
}  // namespace rope::plots
