#include "base/csv.hpp"

#include <gtest/gtest.h>

namespace rope {
namespace csv_test {

// RFC 4180 §2: fields with quotes, commas or line ends are quoted, and a quote is doubled.
TEST(CsvCell, QuotesQuotesAndSeparators) {
    EXPECT_EQ(csv_cell(R"(a "b", c)"), R"("a ""b"", c")");
    EXPECT_EQ(csv_cell(""), "\"\"");
}

TEST(CsvCell, StartsNoFormulaInASpreadsheet) {
    for (const char first : {'=', '+', '-', '@'}) {
        const std::string text = std::string(1, first) + "cmd|' /C calc'!A0";
        EXPECT_EQ(csv_cell(text), "\"'" + text + "\"");
    }
}

TEST(CsvCell, KeepsToOneLineOfAnyLength) {
    EXPECT_EQ(csv_cell("a\r\nb\t\xe2\x80\xae"), R"("a\r\nb\t\u202e")");
    EXPECT_EQ(csv_cell(std::string(5000, 'x')).size(), 5002U);
}

}  // namespace csv_test
}  // namespace rope
