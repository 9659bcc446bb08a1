#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <string>

#include "plots/judged/judged.hpp"
#include "plots/svg/labels.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/raster.hpp"
#include "plots/svg/svg.hpp"
#include "plots/text_boxes.hpp"
#include "rope/session/session.hpp"
#include "rope/specs.hpp"

namespace rope::plots {
namespace precision_test {

MappedReport judged(const char* pipeline, std::uint64_t context, std::uint32_t d = 128) {
    MappedReport mapped{.label = pipeline, .report = {}, .errors = {}};
    SessionOptions options;
    options.only = {"table-accuracy"};
    options.errors = {&mapped.errors};
    mapped.report = verify(spec_of(d, 1e4), find_pipeline(pipeline), context, options);
    return mapped;
}

Figure figure_of(const MappedReport& mapped) { return precision_figure({&mapped, 1}); }

TEST(PrecisionFigure, ShowsValuesThatAreNotFiniteAndGaps) {
    Heatmap heatmap{{0, 1, 2, 3, 4}, {0, 1, 2, 3}, {"pair 0"}, {}, 1e-8, 1, ""};
    heatmap.values = {std::numeric_limits<float>::infinity(), -1, 0, 5};
    const Picture picture = picture_of(heatmap, 2, 0.5);
    ASSERT_EQ(picture.pixels.size(), 4U);
    const auto color = [&](std::size_t k) { return picture.palette[picture.pixels[k]]; };
    EXPECT_EQ(color(0).red, 0xdc);
    EXPECT_EQ(color(1).opacity, 0);
    EXPECT_EQ(picture.pixels[2], 0);    // no error
    EXPECT_EQ(picture.pixels[3], 249);  // more than 1
}

// "worst error – at position 65,520, pair 0"
TEST(PrecisionFigure, NamesThePlaceOfAValueThatIsNotFinite) {
    const Panel panel = figure_of(judged("chatglm-fp16", 70000, 8)).panels[0];
    ASSERT_EQ(panel.markers.size(), 1U);
    EXPECT_EQ(panel.markers[0].tag, "worst");
    EXPECT_EQ(panel.subtitle, "Worst error not finite at position 65,520, pair 0");
}

// The title was "passes" if --max-error or a required claim failed, and "not checked" if
// --only named other checks.
TEST(PrecisionFigure, NamesTheVerdictOfEveryCheckInItsTitle) {
    const auto title = [](const JudgeOptions& judged, const RequiredClaims& required = {}) {
        MappedReport mapped{.label = "hf-fp32", .report = {}, .errors = {}};
        SessionOptions options{judged};
        options.errors = {&mapped.errors};
        mapped.report = verify(spec_of(64, 1e4), find_pipeline("hf-fp32"), 2048, options);
        return precision_figure({&mapped, 1}, required).title;
    };
    EXPECT_EQ(title({}), "Passes, largest error 7.2×10⁻⁵");
    EXPECT_EQ(title({.only = {}, .max_error = 1e-9}),
              "max-error fails: largest error 7.2×10⁻⁵ exceeds 10⁻⁹");
    EXPECT_EQ(title({}, {"c3-R1"}), "c3-R1 fails at s = 7");
    EXPECT_EQ(title({.only = {"orthogonality"}}), "Orthogonality passes");
    EXPECT_EQ(title({.only = {"c3-R1"}}), "Not checked");
}

// The tables of a config with two lengths have one axis, on which one of them ends earlier.
TEST(PrecisionFigure, HasOneAxisOfPositions) {
    const auto mapped = [](std::uint64_t context) {
        MappedReport one = judged("hf-fp32", context);
        one.label = std::to_string(context);
        return one;
    };
    const MappedReport both[] = {mapped(4096), mapped(32768)};
    const std::vector<Panel> panels = precision_figure(both).panels;
    EXPECT_EQ(panels[0].x.last, panels[1].x.last);
    const Heatmap &shorter = *panels[0].heatmap, &longer = *panels[1].heatmap;
    EXPECT_EQ(shorter.at(0, shorter.columns.back()), -1);
    EXPECT_GE(longer.at(0, longer.columns.back()), 0);
    const auto parts = static_cast<double>(shorter.columns.size());
    const auto cells = std::ranges::count_if(
        shorter.columns, [&](std::uint32_t column) { return shorter.at(0, column) >= 0; });
    EXPECT_NEAR(panels[0].x.at(static_cast<double>(cells) / parts), 4096, 40);
}

TEST(PrecisionFigure, BrightensWithTheError) {
    Heatmap heatmap{{0, 1}, {0}, {"pair 0"}, {0}, 1e-8, 1, ""};
    const std::vector<Color> palette = picture_of(heatmap, 1, 1).palette;
    const auto luminance = [](const Color& c) {
        return 0.2126 * c.red + 0.7152 * c.green + 0.0722 * c.blue;
    };
    for (std::size_t k = 10; k < 250; k += 10)
        EXPECT_GT(luminance(palette[k]), luminance(palette[k - 10])) << k;
}

// If nothing exceeds a tolerance, the note explained one.
TEST(PrecisionFigure, ExplainsToleranceOnlyWhereOneIsExceeded) {
    const auto explains = [](const char* pipeline) {
        return figure_of(judged(pipeline, 4096, 64)).notes[0].find("tolerance") !=
               std::string::npos;
    };
    EXPECT_FALSE(explains("hf-fp32"));
    EXPECT_TRUE(explains("bf16-angles"));
}

TEST(PrecisionFigure, IsLegibleSmallAndTheSameTwice) {
    const MappedReport small = judged("exact", 1, 2), few = judged("hf-fp32", 10, 2),
                       wide = judged("bf16-angles", 4096, 2048), usual = judged("hf-fp32", 131072);
    for (const MappedReport* mapped : {&small, &few, &wide, &usual}) {
        const std::string svg = to_svg(figure_of(*mapped));
        EXPECT_EQ(TextBoxes::complaint(svg), "");
        EXPECT_LT(svg.size(), 300'000U);
        EXPECT_EQ(svg, to_svg(figure_of(*mapped)));
    }
    EXPECT_EQ(precision_figure(std::vector{few, usual}).title,
              "All 2 subjects pass, largest error 2.9×10⁻⁸ with hf-fp32, 0.0077 with hf-fp32");
    const std::vector<MappedReport> all = {small, few, usual};
    const std::string svg = to_svg(precision_figure(all));
    EXPECT_EQ(TextBoxes::complaint(svg), "");
    EXPECT_NE(svg.find("2 of 3 subjects pass; 1 of 3 subjects is not applicable"), svg.npos);
}

}  // namespace precision_test
}  // namespace rope::plots
