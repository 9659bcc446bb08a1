#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "plots/figures/figures.hpp"
#include "plots/stored.hpp"
#include "plots/svg/layout.hpp"
#include "plots/svg/raster.hpp"
#include "plots/svg/svg.hpp"
#include "rope/session/session.hpp"
#include "rope/specs.hpp"

namespace rope::plots::compared_test {

// Eight pairs, of which pair 2 is off, with one row of heads or several.
DrawnReport example(std::size_t groups, const std::string& label = "dump.npz") {
    DrawnReport one{.label = label, .report = {}};
    one.report.spec = spec_of(16, 1e4);
    Explanation& base = one.report.diagnosis.emplace_back();
    base.what = "rope_theta is 500000 instead of 10000";
    base.before = 3e5;
    base.after = 0.5;
    for (int i = 0; i < 8; ++i) {
        const double asked = std::pow(10.0, -i / 2.0);
        one.evidence.pairs.push_back({.asked = asked,
                                      .fitted = i == 2 ? 1.5 * asked : asked * (1 + 1e-8),
                                      .fitted_error = 1e-9 * asked,
                                      .is_constant = true,
                                      .error = i == 2 ? 3e5 : 0.5,
                                      .residue = 0.25});
    }
    RowEvidence& rows = one.evidence.rows;
    const double sizes[] = {0, 999};
    rows.positions = position_parts(sizes, 480);
    rows.kind = groups > 1 ? "head" : "";
    for (std::size_t g = 0; g < groups; ++g)
        rows.groups.push_back(groups > 1 ? "head " + std::to_string(g) : "");
    rows.worst.assign(groups * rows.columns(), 0.5F);
    rows.rows = 1000 * groups;
    rows.off = 7;
    rows.first_off = RowPlace{.position = 30, .group = rows.groups.back(), .line = groups - 1};
    rows.worst_row = RowPlace{500, rows.groups.back(), groups - 1, 4e5};
    rows.worst[(groups - 1) * rows.columns() + rows.positions.column_of(500)] = 4e5;
    return one;
}

Figure figure_of(const DrawnReport& one) { return compared_figure({&one, 1}); }

std::vector<Edge> edges_of(const Panel& panel, std::size_t series) {
    return drawn_series(panel, Frame(panel, {0, 0, 480, 250, 0, 0})).at(series).edges;
}

// The figure called a finite frequency "fitted: not finite".
TEST(ComparedFigure, MarksPairsThatShouldNotRotate) {
    DrawnReport one = example(1);
    one.evidence.pairs[4].asked = 0;
    one.evidence.pairs[5].asked = 0;
    one.evidence.pairs[5].fitted = 0;
    const Panel ratio = figure_of(one).panels[1];
    ASSERT_EQ(edges_of(ratio, 1).size(), 2U);  // one above, and 0 below if 0 turns as asked
    EXPECT_EQ(edge_words(ratio, ratio.series[1], true), "0 was asked for");
    EXPECT_EQ(ratio.subtitle, "pair 4: 0.01 instead of 0");
    EXPECT_NE(figure_of(example(1)).panels[1].subtitle.find("pair 2: 1.5 ×"), std::string::npos);
}

TEST(ComparedFigure, StatesThatNothingWasFittedAndThatOneRowIsRight) {
    DrawnReport one = example(1);
    for (PairEvidence& pair : one.evidence.pairs) pair.fitted.reset();
    one.report.diagnosis[0].before = HUGE_VAL;
    one.report.diagnosis[0].after = 0;
    one.evidence.rows.off = 0;
    one.evidence.rows.rows = 1;
    const std::vector<Panel> panels = figure_of(one).panels;
    EXPECT_EQ(panels[0].subtitle, "not determined") << "not 0 of 8 pairs rotate";
    EXPECT_EQ(panels[1].subtitle, "the rows determine no frequency");
    EXPECT_EQ(panels[2].subtitle, "") << "not 0 times the tolerance once corrected";
    EXPECT_EQ(panels[3].subtitle, "the only row is within what rounding allows");
}

TEST(ComparedFigure, StatesThePeriodOfFittedFrequencies) {
    DrawnReport one = example(1);
    EXPECT_EQ(figure_of(one).notes.size(), 1U);
    for (PairEvidence& pair : one.evidence.pairs) pair.modulo = 2 * 3.14159265 / 37;
    EXPECT_TRUE(figure_of(one).notes[1].starts_with("Positions are multiples of 37 apart"));
}

TEST(ComparedFigure, ExplainsBlankCells) {
    const DrawnReport several = example(8);
    EXPECT_TRUE(figure_of(several).notes[0].ends_with("blank cells: no row."));
    EXPECT_EQ(figure_of(example(1)).notes[0].find("blank"), std::string::npos);
}

// the scale's lower end had no label if its powers are not multiples of the step
TEST(ComparedFigure, LabelsBothEndsOfTheColours) {
    DrawnReport one = example(16);
    for (const float error : {1e4F, 1e12F, 1e20F, 1e33F}) {
        one.evidence.rows.worst.back() = error;
        const std::string svg = to_svg(figure_of(one));
        EXPECT_NE(svg.find(">≤ 10⁻²<"), std::string::npos) << error;
        EXPECT_NE(svg.find(">≥ 10"), std::string::npos) << error;
    }
}

TEST(ComparedFigure, HasNegativePositionsAndRowNumbersOnItsAxis) {
    DrawnReport one = example(1);
    const double ends[] = {-128, 127};
    one.evidence.rows.positions = position_parts(ends, 480);
    one.evidence.rows.worst.assign(one.evidence.rows.columns(), 0.5F);
    one.evidence.rows.first_off->position = -50;
    one.evidence.rows.place = "row";
    const Panel panel = figure_of(one).panels[3];
    EXPECT_EQ(panel.x.first, -128);
    EXPECT_EQ(panel.x.label, "row");
    EXPECT_EQ(panel.rules[0].value, -50);
    EXPECT_EQ(panel.series[0].listed.front(), -128);
    EXPECT_EQ(panel.x.ticks.front().label, "−100");
    EXPECT_EQ(panel.subtitle, "7 of 1,000 rows off, first at row −50; worst 4×10⁵ at 500");
}

// A file without rows had the label "inv_freq, rows off the line".
TEST(ComparedFigure, OfFrequenciesHasNoRows) {
    DrawnReport one = example(1);
    one.evidence.rows = {};
    one.evidence.pairs[3].fitted = 1e29;
    one.evidence.pairs[3].is_constant = false;
    const Figure figure = figure_of(one);
    EXPECT_EQ(figure.panels[0].subtitle, "7 of 8 pairs rotate");
    EXPECT_EQ(figure.panels[0].series.back().label, "inv_freq, 2³² or more");
}

TEST(ComparedFigure, HasTheSameAxesForEverySubject) {
    std::vector<DrawnReport> all = {example(1, "a"), example(1, "b"), example(8, "c")};
    all[1].evidence.pairs[2].error = 1e6;
    all[1].evidence.pairs[4].fitted = 1e-9;
    const Figure figure = compared_figure(all);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(figure.panels[i].y.first, figure.panels[i % 4].y.first) << i;
        EXPECT_EQ(figure.panels[i].y.last, figure.panels[i % 4].y.last) << i;
    }
}

TEST(ComparedFigure, NamesTheSubjectThatFails) {
    std::vector<DrawnReport> all = {example(1, "a"), example(1, "b"), example(8, "c")};
    for (DrawnReport& one : all) {
        one.report.diagnosis.clear();
        Finding& accuracy = one.report.findings.emplace_back();
        accuracy.check = "table-accuracy";
        accuracy.verdict = Verdict::holds;
    }
    EXPECT_EQ(compared_figure(all).title, "All 3 subjects pass");
    all[2].report = example(1).report;
    Finding& accuracy = all[2].report.findings.emplace_back();
    accuracy.check = "table-accuracy";
    accuracy.verdict = Verdict::violated;
    EXPECT_EQ(compared_figure(all).title,
              "rope_theta is 500,000 instead of 10,000 (c); 2 of 3 subjects pass");
    for (const std::size_t i : {0U, 1U}) all[i].report = all[2].report;
    EXPECT_EQ(compared_figure(all).title,
              "rope_theta is 500,000 instead of 10,000 (a, b and c); 0 of 3 subjects pass");
    const Figure one = figure_of(all[2]);
    EXPECT_EQ(one.title, "rope_theta is 500,000 instead of 10,000");
    EXPECT_TRUE(one.subtitle.starts_with("c · head_dim ")) << one.subtitle;
}

// The title ended after "there:".
TEST(ComparedFigure, HasAnObservationWithItsHeading) {
    DrawnReport one = example(8);
    one.report.diagnosis.clear();
    Finding& accuracy = one.report.findings.emplace_back();
    accuracy.check = "table-accuracy";
    accuracy.verdict = Verdict::violated;
    one.report.observations = {"head 0: not explained; there:", "no pair matches", "another"};
    EXPECT_EQ(figure_of(one).title, "Head 0: not explained; there: no pair matches");
    one.report.observations = {"no pair matches", "another"};
    EXPECT_EQ(figure_of(one).title, "No pair matches");
}

TEST(ComparedFigure, IsLegibleAndTheSameTwice) {
    for (const std::size_t groups : {1U, 2U, 32U, 192U})
        for (const std::size_t subjects : {1U, 2U, 3U})
            for (const std::size_t length : {3U, 60U}) {
                std::vector<DrawnReport> all;
                for (std::size_t i = 0; i < subjects; ++i)
                    all.push_back(example(groups, std::string(length, 'W')));
                all.back().evidence.part = "heads 3, 17 of 32";
                all.back().evidence.pairs[1].is_constant = false;
                all.back().evidence.pairs[2].fitted.reset();
                const std::string svg = to_svg(compared_figure(all));
                EXPECT_EQ(TextBoxes::complaint(svg), "") << groups << " " << subjects;
                EXPECT_EQ(svg, to_svg(compared_figure(all)));
                EXPECT_LT(svg.size(), 300'000U);
            }
}

DrawnReport judged(const char* pipeline, std::uint64_t context, std::uint32_t d = 128) {
    DrawnReport mapped{.label = pipeline, .report = {}};
    SessionOptions options;
    options.only = {"table-accuracy"};
    options.errors = {&mapped.errors};
    mapped.report = verify(spec_of(d, 1e4), find_pipeline(pipeline), context, options);
    return mapped;
}

Figure precision_of(const DrawnReport& mapped) { return precision_figure({&mapped, 1}); }

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
    const Panel panel = precision_of(judged("chatglm-fp16", 70000, 8)).panels[0];
    ASSERT_EQ(panel.markers.size(), 1U);
    EXPECT_EQ(panel.markers[0].tag, "worst");
    EXPECT_EQ(panel.subtitle, "Worst error not finite at position 65,520, pair 0");
}

// The title was "passes" if --max-error or a required claim failed, and "not checked" if
// --only named other checks.
TEST(PrecisionFigure, NamesTheVerdictOfEveryCheckInItsTitle) {
    const auto title = [](const JudgeOptions& judged, const RequiredClaims& required = {}) {
        DrawnReport mapped{.label = "hf-fp32", .report = {}};
        SessionOptions options{judged};
        options.errors = {&mapped.errors};
        mapped.report = verify(spec_of(64, 1e4), find_pipeline("hf-fp32"), 2048, options);
        return precision_figure({&mapped, 1}, required).title;
    };
    EXPECT_EQ(title({}), "Passes, largest error 7.2×10⁻⁵");
    EXPECT_EQ(title({.only = {}, .max_error = 1e-9}), "max-error fails");
    EXPECT_TRUE(title({}, {"c3-R1"}).starts_with("Pair 0 completes a turn"));
    EXPECT_EQ(title({.only = {"orthogonality"}}), "Orthogonality passes");
    EXPECT_EQ(title({.only = {"c3-R1"}}), "Not checked");
}

// The tables of a config with two lengths have one axis, on which one of them ends earlier.
TEST(PrecisionFigure, HasOneAxisOfPositions) {
    const auto mapped = [](std::uint64_t context) {
        DrawnReport one = judged("hf-fp32", context);
        one.label = std::to_string(context);
        return one;
    };
    const DrawnReport both[] = {mapped(4096), mapped(32768)};
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

TEST(PrecisionFigure, IsLegibleSmallAndTheSameTwice) {
    const DrawnReport small = judged("exact", 1, 2), few = judged("hf-fp32", 10, 2),
                      wide = judged("bf16-angles", 4096, 2048), usual = judged("hf-fp32", 131072);
    for (const DrawnReport* mapped : {&small, &few, &wide, &usual}) {
        const std::string svg = to_svg(precision_of(*mapped));
        EXPECT_EQ(TextBoxes::complaint(svg), "");
        EXPECT_LT(svg.size(), 300'000U);
        EXPECT_EQ(svg, to_svg(precision_of(*mapped)));
    }
    EXPECT_EQ(precision_figure(std::vector{few, usual}).title, "All 2 subjects pass");
    const std::vector<DrawnReport> all = {small, few, usual};
    const std::string svg = to_svg(precision_figure(all));
    EXPECT_EQ(TextBoxes::complaint(svg), "");
    EXPECT_NE(svg.find("2 of 3 subjects pass"), svg.npos);
}

}  // namespace rope::plots::compared_test
