#include "base/printable.hpp"

#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "base/utf8.hpp"

namespace rope {
namespace printable_test {

struct Case {
    std::string foreign;
    std::string shown;

    friend void PrintTo(const Case& each, std::ostream* out) { *out << each.shown.size(); }
};

class Printable : public testing::TestWithParam<Case> {};

TEST_P(Printable, IsShown) { EXPECT_EQ(printable(GetParam().foreign), GetParam().shown); }

using std::string_literals::operator""s;

INSTANTIATE_TEST_SUITE_P(
    Texts, Printable,
    testing::Values(Case{"", ""}, Case{"rope_theta", "rope_theta"}, Case{"θ·m = π", "θ·m = π"},
                    Case{"漢字 🎉", "漢字 🎉"}, Case{"a\nb\r\tc", "a\\nb\\r\\tc"},
                    Case{"\x1b[31mred", "\\x1b[31mred"}, Case{"\0"s, "\\x00"},
                    Case{"\x7f", "\\x7f"}, Case{"\xc2\x9b", "\\u009b"},  // C1: CSI
                    Case{"\xe2\x80\xae", "\\u202e"},                     // right-to-left
                    Case{"\xe2\x81\xa6", "\\u2066"},                     // isolate
                    Case{"\xe2\x80\x8b", "\\u200b"},                     // zero width
                    Case{"\xe2\x80\xa8", "\\u2028"},                     // line separator
                    Case{"\xef\xbb\xbf", "\\ufeff"},                     // byte order mark
                    Case{"\xef\xbf\xbe", "\\ufffe"},                     // noncharacter
                    Case{"\xf3\xa0\x81\x81", "\\U000e0041"},             // tag
                    Case{"\xff", "\\xff"}, Case{"a\x80z", "a\\x80z"},    // not UTF-8
                    Case{"\xc0\xaf", "\\xc0\\xaf"},                      // overlong
                    Case{"\xe0\x80\xaf", "\\xe0\\x80\\xaf"},             // overlong
                    Case{"\xed\xa0\x80", "\\xed\\xa0\\x80"},             // surrogate
                    Case{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},    // above U+10FFFF
                    Case{"\xf5\x80\x80\x80", "\\xf5\\x80\\x80\\x80"},
                    Case{"\xe2\x82", "\\xe2\\x82"},  // cut short
                    Case{"\xf0\x9f\x8e\x89", "🎉"}));

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

}  // namespace printable_test
}  // namespace rope
