#include "base/xml.hpp"

#include <gtest/gtest.h>

#include <string>

namespace rope {
namespace xml_test {

using std::string_literals::operator""s;

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

}  // namespace xml_test
}  // namespace rope
