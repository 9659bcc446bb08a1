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

TEST(Csv, LeavesGuidesOut) {
    EXPECT_EQ(to_csv(figure_of({{"", Mark::guide, 0, {1}, {1}}})), "\"s\"\n");
}

TEST(Csv, LeavesACellEmptyWhereThereIsNoNumber) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const double infinity = std::numeric_limits<double>::infinity();
    EXPECT_EQ(to_csv(figure_of({{"y", Mark::line, 0, {1, 2, 3}, {nan, -infinity, -0.0}}})),
              "\"s\",\"y\"\n1,\n2,\n3,0\n");
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
