#include "base/text.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "base/base64.hpp"
#include "base/printable.hpp"
#include "base/utf8.hpp"

namespace rope::text_test {

TEST(Decimal, TakesEveryInteger) {
    EXPECT_EQ(decimal(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
    EXPECT_EQ(decimal(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
    EXPECT_EQ(decimal(std::uint8_t{65}), "65");
}

TEST(Join, TakesTextsNumbersAndMembers) {
    const std::vector<std::pair<int, std::string_view>> list{{1, "a"}, {2, "b"}, {3, "c"}};
    EXPECT_EQ(join(list, [](const auto& item) { return item.second; }), "a, b, c");
    EXPECT_EQ(join(list, &std::pair<int, std::string_view>::first, ","), "1,2,3");
    EXPECT_EQ(join(std::vector<std::string>{"", ""}), ", ");
    EXPECT_EQ(join(std::vector<double>{}), "");
}

TEST(OneOf, ListsTheKnownNames) {
    const std::array<std::string_view, 2> known{"a", "b"};
    EXPECT_EQ(&one_of(known, std::identity{}, "letter", "b"), &known[1]);
    try {
        one_of(known, std::identity{}, "letter", "c");
        FAIL();
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "letter is 'c'; it must be one of a, b");
    }
}

using Numbers = std::vector<std::uint32_t>;

TEST(Ranges, FoldNeighbours) {
    EXPECT_EQ(ranges(Numbers{}), "");
    EXPECT_EQ(ranges(Numbers{4}), "4");
    EXPECT_EQ(ranges(Numbers{0, 1, 2, 5, 7, 8}), "0–2, 5, 7–8");
}

TEST(Ranges, EndInAnEllipsisWhereThereAreMore) {
    EXPECT_EQ(ranges(Numbers{0, 1, 3, 5}, 3), "0–1, 3, 5");
    EXPECT_EQ(ranges(Numbers{0, 1, 3, 5, 6, 8}, 3), "0–1, 3, 5–6, …");
}

TEST(CodePoints, AreNotBytes) { EXPECT_EQ(code_points("θ₀ = 1"), 6U); }

// RFC 4648 §10
TEST(Base64, EncodesTheStandardsExamples) {
    EXPECT_EQ(base64_of(""), "");
    EXPECT_EQ(base64_of("f"), "Zg==");
    EXPECT_EQ(base64_of("fo"), "Zm8=");
    EXPECT_EQ(base64_of("foo"), "Zm9v");
    EXPECT_EQ(base64_of("foobar"), "Zm9vYmFy");
    EXPECT_EQ(base64_of("\xff\xfe"), "//4=");
}

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

using std::string_literals::operator""s;

TEST(Printable, ShowsEveryByteThatIsNoCharacter) {
    const std::pair<std::string, std::string> texts[] = {
        {"", ""},
        {"rope_theta", "rope_theta"},
        {"θ·m = π", "θ·m = π"},
        {"漢字 🎉", "漢字 🎉"},
        {"a\nb\r\tc", "a\\nb\\r\\tc"},
        {"\x1b[31mred", "\\x1b[31mred"},
        {"\0"s, "\\x00"},
        {"\x7f", "\\x7f"},
        {"\xc2\x9b", "\\u009b"},              // C1: CSI
        {"\xe2\x80\xae", "\\u202e"},          // right-to-left
        {"\xe2\x81\xa6", "\\u2066"},          // isolate
        {"\xe2\x80\x8b", "\\u200b"},          // zero width
        {"\xe2\x80\xa8", "\\u2028"},          // line separator
        {"\xef\xbb\xbf", "\\ufeff"},          // byte order mark
        {"\xef\xbf\xbe", "\\ufffe"},          // noncharacter
        {"\xf3\xa0\x81\x81", "\\U000e0041"},  // tag
        {"\xff", "\\xff"},
        {"a\x80z", "a\\x80z"},                         // not UTF-8
        {"\xc0\xaf", "\\xc0\\xaf"},                    // overlong
        {"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},           // overlong
        {"\xed\xa0\x80", "\\xed\\xa0\\x80"},           // surrogate
        {"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},  // above U+10FFFF
        {"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},
        {"\xe2\x82", "\\xe2\\x82"},  // cut short
        {"\xf0\x9f\x8e\x89", "🎉"}};
    for (const auto& [foreign, shown] : texts) EXPECT_EQ(printable(foreign), shown);
}

TEST(PrintableLength, IsCutAt200Characters) {
    EXPECT_EQ(printable(std::string(200, 'x')), std::string(200, 'x'));
    EXPECT_EQ(printable(std::string(201, 'x')), std::string(200, 'x') + "…");
    EXPECT_EQ(printable("θθθ", 2), "θθ…");
}

TEST(Printable, IsTheSameASecondTime) {
    const std::string once = printable("a\nb\x1b\xff\xe2\x80\xae\xf3\xa0\x81\x81");
    EXPECT_EQ(printable(once), once);
}

TEST(PrintableJson, EscapesControlCharactersAndKeepsLineEnds) {
    EXPECT_EQ(printable_json("{\n  \"a\xe2\x80\xae\": \"\xc2\x9b\x7f θ\"\n}\n"),
              "{\n  \"a\\u202e\": \"\\u009b\\u007f θ\"\n}\n");
    EXPECT_EQ(printable_json("\"\xf3\xa0\x81\x81\""), "\"\\udb40\\udc41\"");  // U+E0041
}

TEST(IsUtf8, RefusesOverlongFormsSurrogatesAndCutCharacters) {
    EXPECT_TRUE(is_utf8(""));
    EXPECT_TRUE(is_utf8("θ 漢 🎉 \x1b"));
    for (const char* text : {"\xff", "\xc0\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "a\xe2\x82"})
        EXPECT_FALSE(is_utf8(text));
}

TEST(XmlEscape, ReplacesMarkup) {
    EXPECT_EQ(xml_escape("<a b='1' c=\"2\">&"), "&lt;a b=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
}

TEST(XmlEscape, KeepsEveryOtherCharacter) {
    EXPECT_EQ(xml_escape("θ₀ − π/2 · B̂ 😀 \u00a0\ud7ff\ufffd"),
              "θ₀ − π/2 · B̂ 😀 \u00a0\ud7ff\ufffd");
}

TEST(XmlEscape, EscapesMarkupAndControlCharacters) {
    EXPECT_EQ(xml_escape("a\0b\x1b\x7f"s), "a\\x00b\\x1b\\x7f");
    EXPECT_EQ(xml_escape("\xef\xbf\xbe|\xe2\x80\xae|\xc2\x9b"), "\\ufffe|\\u202e|\\u009b");
    EXPECT_EQ(xml_escape("a\tb\r\nc"), "a\\tb\\r\\nc");
    EXPECT_EQ(xml_escape("\xe2\x82<"), "\\xe2\\x82&lt;");            // cut short before markup
    EXPECT_EQ(xml_escape("\xe0\x80\xbc"), "\\xe0\\x80\\xbc");        // overlong <
    EXPECT_EQ(xml_escape(std::string(5000, '<')).size(), 5000 * 4);  // of any length
}

TEST(XmlEscape, LeavesAQuoteThatEndsNothing) {
    EXPECT_EQ(xml_escape("a's \"b\"", "\""), "a's &quot;b&quot;");
}

}  // namespace rope::text_test
