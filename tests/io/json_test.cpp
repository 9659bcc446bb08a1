#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "base/error.hpp"
#include "io/system/file_descriptor.hpp"
#include "io/text/json_text.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/temporary_folder.hpp"

namespace rope::io::json_test {

using nlohmann::json;

std::string refusal(std::string_view text) {
    return error_message<InputError>([&] { parse_json(text, "x.json"); });
}

TEST(Json, KeepsEveryKindOfValue) {
    const std::string text =
        R"({"a": [1, -2, 2.5, 1e-400, true, false, null, "θ\u00e9"], "b": {"c": {}, "d": []}})";
    EXPECT_EQ(parse_json(text, "x.json"), json::parse(text));
    EXPECT_EQ(parse_json("18446744073709551615", "x"), json(18446744073709551615u));
    EXPECT_EQ(parse_json("\xef\xbb\xbf{}", "x"), json::object());
}

using std::string_literals::operator""s;

std::string repeated(const std::string& text, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += text;
    return all;
}

// clang-format off
const Refused refused[] = {
    Refused{"duplicate", R"({"a": 1, "b": {"c": 1, "c": 2}})", "x.json: key 'c' is given twice"},
    Refused{"duplicate_escape", "{\"a\\u001b\": 1, \"a\\u001b\": 1}", "x.json: key 'a\\x1b' is given twice"},
    Refused{"nul", "{}\0{}"s, "x.json: is not JSON: line 1, column 3: a NUL byte"},
    Refused{"garbage", "{}\n x", "x.json: is not JSON: line 2, column 2: syntax error while parsing value - invalid literal; last read: '{}<U+000A> x'; expected end of input"},
    Refused{"overflow", "[1e999]", "x.json: line 1, column 6: number overflow parsing '1e999'"},
    Refused{"minus_overflow", "-1e999", "x.json: line 1, column 6: number overflow parsing '-1e999'"},
    Refused{"deep", repeated("[", 100'000), "x.json: is nested deeper than 64 levels"},
    Refused{"deep_objects", repeated("{\"a\":", 100'000), "x.json: is nested deeper than 64 levels"}};
// clang-format on

TEST(HostileJson, IsRefusedWithItsPlace) {
    for (const auto& [name, input, message] : refused) EXPECT_EQ(refusal(input), message) << name;
}

TEST(Json, RefusesInvalidJson) {
    for (const char* text : {"", " \n"}) EXPECT_EQ(refusal(text), "x.json: is empty");
    for (const std::string& text : {"{"s,           "{\"a\"}"s,      "{\"a\":}"s,
                                    "{a: 1}"s,      "{'a': 1}"s,     "[1,]"s,
                                    "[1 2]"s,       "{\"a\": 1,}"s,  "// c\n{}"s,
                                    "NaN"s,         "[Infinity]"s,   "+1"s,
                                    "01"s,          "1."s,           ".5"s,
                                    "0x10"s,        "\"\\x\""s,      "\"a\nb\""s,
                                    "\"\xff\""s,    "\"\xc0\xaf\""s, "\"\xed\xa0\x80\""s,
                                    "\"\\ud800\""s, "True"s,         "nul"s,
                                    "\x93NUMPY"s,   "GGUF\x03"s,     "{}{}"s}) {
        const std::string message = refusal(text);
        EXPECT_EQ(message.rfind("x.json: is not JSON: line ", 0), 0u) << text << ": " << message;
        EXPECT_NE(message.find(", column "), std::string::npos) << message;
    }
}

TEST(Json, HoldsDepth64AndRefuses65) {
    const auto nested = [](std::size_t n) { return std::string(n, '[') + std::string(n, ']'); };
    EXPECT_NO_THROW(parse_json(nested(64), "x"));
    EXPECT_EQ(refusal(nested(65)), "x.json: is nested deeper than 64 levels");
}

TEST(Json, CountsKeysAndValues) {
    std::string keys = "{";
    for (std::size_t i = 0; i <= max_json_keys; ++i)
        keys += (i ? ",\"" : "\"") + std::to_string(i) + "\":0";
    EXPECT_EQ(refusal(keys + "}"), "x.json: has more than 100000 keys");
    std::string values = "[0";
    for (std::size_t i = 0; i <= max_json_values; ++i) values += ",0";
    EXPECT_EQ(refusal(values + "]"), "x.json: has more than 1000000 values");
}

TEST(Json, SurvivesTruncationAnywhere) {
    const std::string text =
        R"({"rope_theta": 1e6, "rope_scaling": {"type": "linear", "factor": 2.0}, "x": [null, "é"]})";
    for (std::size_t length = 0; length < text.size(); ++length)
        EXPECT_NE(refusal(text.substr(0, length)), "[no error]") << length;
}

TEST(Json, SurvivesRandomBytes) {
    std::mt19937_64 random(1);
    const std::string alphabet = "{}[]:,\"\\u0e1.-+ntf \x80\xff\n\0"s;
    for (int round = 0; round < 20'000; ++round) {
        std::string text(random() % 40, '\0');
        for (char& c : text)
            c = round % 2 ? static_cast<char>(random()) : alphabet[random() % alphabet.size()];
        const std::string message = refusal(text);
        EXPECT_EQ(message.find("[another type]"), std::string::npos) << message;
    }
}

TEST(Json, NamesTheFileItCameFrom) {
    const TemporaryFolder folder;
    const auto path = folder.write("bad\n.json", "{");
    EXPECT_NE(error_message<InputError>([&] {
                  read_json(path);
              }).find("bad\\n.json: is not JSON: line 1"),
              std::string::npos);
    EXPECT_EQ(error_message<IoError>([&] { read_json(folder.path() / "none"); }),
              (folder.path() / "none").string() + ": cannot open: there is no such file");
}

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

}  // namespace rope::io::json_test
