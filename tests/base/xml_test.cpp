#include "base/xml.hpp"

#include <gtest/gtest.h>

namespace rope {
namespace {

TEST(XmlEscape, ReplacesMarkup) {
    EXPECT_EQ(xml_escape("<a b='1' c=\"2\">&"), "&lt;a b=&#39;1&#39; c=&quot;2&quot;&gt;&amp;");
}

TEST(XmlEscape, KeepsEveryOtherCharacter) {
    EXPECT_EQ(xml_escape("θ₀ − π/2 · B̂ 😀 \u00a0\ud7ff\ufffd"),
              "θ₀ − π/2 · B̂ 😀 \u00a0\ud7ff\ufffd");
}

TEST(XmlEscape, ReplacesWhatXmlForbids) {
    EXPECT_EQ(xml_escape(std::string_view("a\0b\x1b\x7f", 5)), "a�b��");
    EXPECT_EQ(xml_escape("\xef\xbf\xbe"), "�");  // U+FFFE
    EXPECT_EQ(xml_escape("a\tb\r\nc"), "a b  c");
}

TEST(XmlEscape, ReplacesEveryByteThatIsNotUtf8) {
    EXPECT_EQ(xml_escape("\xff|\x80|\xc0\xaf"), "�|�|��");
    EXPECT_EQ(xml_escape("\xc3"), "�");              // cut short
    EXPECT_EQ(xml_escape("\xe2\x82<"), "��&lt;");    // cut short before markup
    EXPECT_EQ(xml_escape("\xe0\x80\xbc"), "���");    // overlong <
    EXPECT_EQ(xml_escape("\xed\xa0\x80"), "�");      // a surrogate
    EXPECT_EQ(xml_escape("\xf4\x90\x80\x80"), "�");  // beyond U+10FFFF
}

TEST(XmlEscape, LeavesAQuoteThatEndsNothing) {
    EXPECT_EQ(xml_escape("a's \"b\"", "\""), "a's &quot;b&quot;");
}

}  // namespace
}  // namespace rope
