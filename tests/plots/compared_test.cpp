#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "plots/csv/csv.hpp"
#include "plots/judged/judged.hpp"
#include "plots/stored.hpp"
#include "plots/svg/drawn_series.hpp"
#include "plots/svg/svg.hpp"
#include "plots/text_boxes.hpp"
#include "plots/xml_checker.hpp"
#include "rope/specs.hpp"

namespace rope::plots {
namespace compared_test {

// Eight pairs, of which number 2 is off, and one line of rows or several.
ComparedReport example(std::size_t groups, const std::string& label = "dump.npz") {
    ComparedReport one{.label = label, .report = {}, .evidence = {}};
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

Figure figure_of(const ComparedReport& one) { return compared_figure({&one, 1}); }

TEST(ComparedFigure, SaysInItsTitleWhatTheDiagnosisSays) {
    ComparedReport one = example(1);
    EXPECT_EQ(figure_of(one).title, "dump.npz: rope_theta is 500000 instead of 10000");
    one.report.diagnosis.clear();
    Finding accuracy;
    accuracy.check = "table-accuracy";
    accuracy.verdict = Verdict::holds;
    accuracy.fields = {{"worst_error", 0.0049}};
    one.report.findings = {accuracy};
    EXPECT_EQ(figure_of(one).title, "dump.npz: passes, largest error 0.0049");
}

// Every number is the evidence's: change it, and the figure changes.
TEST(ComparedFigure, DrawsTheNumbersOfTheEvidence) {
    ComparedReport one = example(1);
    Figure figure = figure_of(one);
    ASSERT_EQ(figure.panels.size(), 4U);
    EXPECT_EQ(figure.panels[0].series[0].y[2], one.evidence.pairs[2].asked);
    EXPECT_EQ(figure.panels[0].series[1].y[2], *one.evidence.pairs[2].fitted);
    EXPECT_EQ(figure.panels[0].subtitle, "8 of 8 pairs rotate at a constant rate");
    const Panel& ratio = figure.panels[1];
    EXPECT_NEAR(ratio.series.back().y[2], 0.5, 1e-12);
    ASSERT_EQ(ratio.markers.size(), 1U);
    EXPECT_EQ(ratio.markers[0].x, 2);
    EXPECT_EQ(ratio.markers[0].tag, "pair 2");
    EXPECT_EQ(ratio.subtitle, "pair 2: 1.5 × the frequency asked for, 0.15 instead of 0.1");
    EXPECT_EQ(figure.panels[2].series[0].y[2], 3e5);
    EXPECT_EQ(figure.panels[2].series[1].y[2], 0.25);
    EXPECT_EQ(figure.panels[2].subtitle, "3×10⁵ times the tolerance, 0.5 times once corrected");
    const Panel& rows = figure.panels[3];
    EXPECT_EQ(rows.subtitle, "7 of 1,000 rows off, first at position 30");
    EXPECT_EQ(rows.rules.at(0).x, 30);
    EXPECT_EQ(rows.markers.at(0).tag, "worst 4×10⁵ at 500");
    EXPECT_EQ(*std::ranges::max_element(rows.series.at(0).y), 4e5F);

    for (const Panel& panel : figure.panels)
        for (const Series& series : panel.series)
            for (const double y : series.y) {
                EXPECT_GT(y, panel.y.first) << panel.title;
                EXPECT_LT(y, panel.y.last) << panel.title;
            }

    one.evidence.pairs[2].is_constant = false;
    one.evidence.pairs[5].fitted = -*one.evidence.pairs[5].fitted;
    one.evidence.rows.off = 0;
    one.evidence.rows.first_off.reset();
    figure = figure_of(one);
    EXPECT_EQ(figure.panels[0].subtitle, "7 of 8 pairs rotate at a constant rate");
    EXPECT_EQ(figure.panels[0].series.at(2).label, "fitted, rotating backwards");
    EXPECT_EQ(figure.panels[0].series.at(3).label, "fitted, rows off the line");
    EXPECT_EQ(figure.panels[3].subtitle, "all 1,000 rows within what rounding allows");
    EXPECT_TRUE(figure.panels[3].rules.empty());
    EXPECT_TRUE(figure.panels[3].markers.empty());
}

ComparedReport of_frequencies() {
    ComparedReport one = example(1);
    one.evidence.rows = {};
    for (PairEvidence& pair : one.evidence.pairs) {
        pair.fitted = pair.asked;
        pair.fitted_error = 0;
        pair.residue.reset();
    }
    return one;
}

bool names_above(const Figure& figure, const std::string& words) {
    return to_svg(figure).find(words) != std::string::npos;
}

TEST(ComparedFigure, SaysOfFrequenciesWhatTheyAre) {
    ComparedReport one = of_frequencies();
    Figure figure = figure_of(one);
    EXPECT_EQ(figure.panels[0].series.at(1).label, "inv_freq");
    EXPECT_EQ(figure.notes[0].find("sampled rows"), std::string::npos);
    EXPECT_NE(figure_of(example(1)).notes[0].find("sampled rows"), std::string::npos);
    EXPECT_EQ(figure.panels[0].subtitle, "8 of 8 pairs rotate at a constant rate");
    EXPECT_FALSE(names_above(figure, "not finite"));

    std::vector<PairEvidence>& pairs = one.evidence.pairs;
    pairs[2].fitted = std::nan("");
    pairs[2].is_constant = false;
    pairs[4].fitted = 0;
    pairs[6].fitted = -pairs[6].asked;
    figure = figure_of(one);
    EXPECT_EQ(figure.panels[0].subtitle, "6 of 8 pairs rotate at a constant rate");
    EXPECT_EQ(figure.panels[1].subtitle, "pair 2: not finite instead of 0.1");
    EXPECT_TRUE(names_above(figure, "not finite"));
    EXPECT_FALSE(names_above(figure, "0 was asked for"));
    EXPECT_FALSE(names_above(figure, "rows off the line"));
    EXPECT_EQ(figure.panels[0].series.back().x, std::vector<double>{2});

    one = of_frequencies();
    one.evidence.pairs[3].asked = 0;
    EXPECT_TRUE(names_above(figure_of(one), "0 was asked for"));
}

TEST(ComparedFigure, HasALineOfCellsForEachHead) {
    const ComparedReport one = example(8);
    const Panel rows = figure_of(one).panels.at(3);
    ASSERT_TRUE(rows.heatmap);
    EXPECT_EQ(rows.heatmap->rows.size(), 8U);
    EXPECT_EQ(rows.heatmap->values, one.evidence.rows.worst);
    EXPECT_EQ(rows.markers.at(0).y, 7);
    EXPECT_EQ(rows.heatmap->high, 1e6);
}

std::vector<Edge> edges_of(const Panel& panel, std::size_t series) {
    return drawn_series(panel, Frame(panel, {0, 0, 480, 250, 0, 0})).at(series).edges;
}

// "a pair without a dot tells none", where all were known to be 0.
TEST(ComparedFigure, DrawsWhatIsNotFiniteOrZeroAtTheEdge) {
    ComparedReport one = example(1);
    one.evidence.pairs[1].error = std::numeric_limits<double>::quiet_NaN();
    one.evidence.pairs[3].fitted = 0;
    one.evidence.rows.worst[0] = std::numeric_limits<float>::infinity();
    one.evidence.rows.worst[9] = 0;
    const Figure figure = figure_of(one);
    ASSERT_EQ(edges_of(figure.panels[0], 1).size(), 1U);
    EXPECT_FALSE(edges_of(figure.panels[0], 1)[0].is_above);
    EXPECT_EQ(edge_words(figure.panels[0], figure.panels[0].series[1], false), "fitted: 0");
    ASSERT_EQ(edges_of(figure.panels[2], 0).size(), 1U);
    EXPECT_TRUE(edges_of(figure.panels[2], 0)[0].is_above);
    EXPECT_EQ(edge_words(figure.panels[2], figure.panels[2].series[0], true),
              "against the config: not finite");
    EXPECT_EQ(edges_of(figure.panels[3], 0).size(), 2U);
    EXPECT_EQ(edge_words(figure.panels[3], figure.panels[3].series[0], false), "below 2⁻¹⁰");
}

// "fitted: not finite" was said of a finite frequency.
TEST(ComparedFigure, SaysWhere0WasAskedFor) {
    ComparedReport one = example(1);
    one.evidence.pairs[4].asked = 0;
    one.evidence.pairs[5].asked = 0;
    one.evidence.pairs[5].fitted = 0;
    const Panel ratio = figure_of(one).panels[1];
    ASSERT_EQ(edges_of(ratio, 1).size(), 2U);  // one above, and 0 below where 0 turns as asked
    EXPECT_EQ(edge_words(ratio, ratio.series[1], true), "0 was asked for");
    EXPECT_EQ(ratio.subtitle, "pair 4: 0.01 instead of 0");
    EXPECT_NE(figure_of(example(1)).panels[1].subtitle.find("pair 2: 1.5 ×"), std::string::npos);
}

TEST(ComparedFigure, HasTheSameAxesForEverySubject) {
    std::vector<ComparedReport> all = {example(1, "a"), example(1, "b"), example(8, "c")};
    all[1].evidence.pairs[2].error = 1e6;
    all[1].evidence.pairs[4].fitted = 1e-9;
    const Figure figure = compared_figure(all);
    for (std::size_t i = 0; i < 8; ++i) {
        EXPECT_EQ(figure.panels[i].y.first, figure.panels[i % 4].y.first) << i;
        EXPECT_EQ(figure.panels[i].y.last, figure.panels[i % 4].y.last) << i;
    }
}

TEST(ComparedFigure, ListsItsPairsAsCsv) {
    for (const std::size_t groups : {1U, 8U}) {
        const std::string csv = to_csv(figure_of(example(groups)));
        EXPECT_EQ(std::ranges::count(csv, '\n'), 9);
        EXPECT_EQ(csv.find("\"pair i\",\"Frequency of each pair: asked\""), 0U);
        EXPECT_NE(csv.find("\n2,0.1,0.15"), std::string::npos) << csv;
    }
}

TEST(ComparedFigure, IsLegibleAndTheSameTwice) {
    for (const std::size_t groups : {1U, 2U, 32U, 192U})
        for (const std::size_t subjects : {1U, 2U, 3U})
            for (const std::size_t length : {3U, 60U}) {
                std::vector<ComparedReport> all;
                for (std::size_t i = 0; i < subjects; ++i)
                    all.push_back(example(groups, std::string(length, 'W')));
                all.back().evidence.part = "heads 3, 17 of 32";
                all.back().evidence.pairs[1].is_constant = false;
                all.back().evidence.pairs[2].fitted.reset();
                const std::string svg = to_svg(compared_figure(all));
                EXPECT_EQ(XmlChecker::complaint(svg), "");
                EXPECT_EQ(TextBoxes::complaint(svg), "") << groups << " " << subjects;
                EXPECT_EQ(svg, to_svg(compared_figure(all)));
                EXPECT_LT(svg.size(), 300'000U);
            }
}

}  // namespace compared_test
}  // namespace rope::plots
