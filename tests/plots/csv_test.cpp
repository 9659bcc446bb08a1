#include "plots/csv/csv.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "plots/stored.hpp"

namespace rope::plots {
namespace csv_test {

Figure figure_of(std::vector<Series> series) {
    Figure figure;
    figure.panels.resize(1);
    figure.panels[0].x.label = "s";
    figure.panels[0].series = std::move(series);
    return figure;
}

TEST(Csv, WritesEveryDigitThatCounts) {
    EXPECT_EQ(to_csv(figure_of({{"y", Mark::line, 0, {1, 2, 3}, {0.1, 1.0 / 3, 1e-300}}})),
              "\"s\",\"y\"\n1,0.1\n2,0.3333333333333333\n3,1e-300\n");
}

TEST(Csv, JoinsSeriesOnX) {
    EXPECT_EQ(to_csv(figure_of({{"a", Mark::line, 0, {1, 2}, {10, 20}},
                                {"b", Mark::dots, 0, {2, 3}, {21, 31}}})),
              "\"s\",\"a\",\"b\"\n1,10,\n2,20,21\n3,,31\n");
}

TEST(Csv, LeavesUnnamedGuidesOut) {
    EXPECT_EQ(to_csv(figure_of({{"", Mark::guide, 0, {1}, {1}}})), "\"s\"\n");
}

TEST(Csv, LeavesAGapEmptyAndNamesValuesThatAreNotFinite) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(to_csv(figure_of({{"y", Mark::line, 0, {1, 2, 3}, {nan, -infinity, -0.0}}})),
              "\"s\",\"y\"\n1,\n2,nan\n3,0\n");
    Figure bounds = figure_of({{"y", Mark::line, 0, {1}, {infinity}}});
    bounds.panels[0].y.above = "none up to 9";
    EXPECT_EQ(to_csv(bounds), "\"s\",\"y\"\n1,inf\n");
}

// The panel over positions of a comparison was left out, and its standard error.
TEST(Csv, HasAnXForEachAxisAndARowOfCellsAsASeries) {
    Figure figure = figure_of(
        {{"a", Mark::line, 0, {1, 2, 3}, {10, 20, 30}}, {"error", Mark::guide, 0, {2}, {0.5}}});
    Panel& cells = figure.panels.emplace_back();
    cells.x.label = "position";
    cells.title = "rows";
    cells.heatmap = Heatmap{{0, 4, 8}, {0, 1}, {"head 0", "head 1"}, {0.5F, 1.5F, -1, 2.5F}};
    EXPECT_EQ(to_csv(figure),
              "\"s\",\"a\",\"error\",\"position\",\"rows: head 0\",\"rows: head 1\"\n"
              "1,10,,0,0.5,\n2,20,0.5,4,1.5,2.5\n3,30,,,,\n");
}

TEST(Csv, StartsNoFormulaInASpreadsheet) {
    for (const char first : {'=', '+', '-', '@'}) {
        const std::string label = std::string(1, first) + "cmd|' /C calc'!A0";
        const std::string csv = to_csv(figure_of({{label, Mark::line, 0, {}, {}}}));
        EXPECT_EQ(csv, "\"s\",\"'" + label + "\"\n");
    }
    EXPECT_EQ(to_csv(figure_of({{"\t=1\r\xe2\x80\xae", Mark::line, 0, {}, {}}})),
              "\"s\",\"\\t=1\\r\\u202e\"\n");
}

TEST(Csv, QuotesQuotes) {
    EXPECT_EQ(to_csv(figure_of({{"a \"b\", c", Mark::line, 0, {}, {}}})),
              "\"s\",\"a \"\"b\"\", c\"\n");
}

TEST(Csv, NamesTheColumnAfterPanelAndSeries) {
    Figure figure = figure_of({{"base", Mark::line, 0, {}, {}}});
    figure.panels[0].title = "=decay";
    EXPECT_EQ(to_csv(figure), "\"s\",\"'=decay: base\"\n");
}

}  // namespace csv_test
}  // namespace rope::plots
