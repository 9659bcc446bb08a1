#include "io/json/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace rope::io {
namespace json_text_test {

using Json = nlohmann::ordered_json;

TEST(JsonText, ReadsBackAsTheSameStringForAnyText) {
    for (const char* text :
         {"a\"b\\c", "\xe2\x80\xae", "\xc2\x9b[31m", "\x1b\n\x7f", "θ 漢 🎉", "\xf3\xa0\x81\x81"}) {
        const Json json{{text, {text, 1, nullptr}}};
        EXPECT_EQ(Json::parse(json_text(json, 2)), json) << text;
        EXPECT_EQ(Json::parse(json_text(json)), json) << text;
    }
}

TEST(JsonText, ContainsNoControlCharacter) {
    const Json json{{"\xe2\x80\xaekey", "\xc2\x9b \x1b \x7f \xe2\x81\xa6"}};
    EXPECT_EQ(json_text(json), R"({"\u202ekey":"\u009b \u001b \u007f \u2066"})");
}

TEST(JsonText, SpellsBytesThatAreNotUtf8) {
    EXPECT_EQ(json_text(Json{{"file", "a\xff.json"}}), R"({"file":"a\\xff.json"})");
    EXPECT_EQ(json_text(Json::array({Json::array({"\x9b"})})), R"([["\\x9b"]])");
    EXPECT_EQ(json_text(Json{{"\xff", 1}}), "{\"\uFFFD\":1}");
}

TEST(JsonText, IndentsAndKeepsTheOrderOfItsKind) {
    EXPECT_EQ(json_text(Json{{"b", 1}, {"a", {1, 2}}}), R"({"b":1,"a":[1,2]})");
    EXPECT_EQ(json_text(nlohmann::json{{"b", 1}, {"a", 2}}), R"({"a":2,"b":1})");
    EXPECT_EQ(json_text(Json{{"b", 1}}, 2), "{\n  \"b\": 1\n}");
}

}  // namespace json_text_test
}  // namespace rope::io
