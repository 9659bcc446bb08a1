#include "io/text/toml.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace rope::io {
namespace {

using Kind = TomlSetting::Kind;

std::string refusal(std::string_view text) {
    try {
        (void)parse_toml(text, "f");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Toml, ReadsSectionsAndValuesWithTheirLines) {
    const auto all = parse_toml(
        "# first\r\n a = \"x # \\\"y\\\\\" # why\n\n[verify] # here\nb=1e-3\nc = true\n"
        "d-e = [\"p\", 'q\\', 3,]",
        "f");
    ASSERT_EQ(all.size(), 4);
    EXPECT_EQ(all[0].section, "");
    EXPECT_EQ(all[0].key, "a");
    EXPECT_EQ(all[0].values, (std::vector<std::string>{"x # \"y\\"}));
    EXPECT_EQ(all[0].line, 2);
    EXPECT_EQ(all[1].section, "verify");
    EXPECT_EQ(all[1].values, (std::vector<std::string>{"1e-3"}));
    EXPECT_EQ(all[1].line, 5);
    EXPECT_EQ(all[2].kind, Kind::truth);
    EXPECT_EQ(all[3].kind, Kind::list);
    EXPECT_EQ(all[3].values, (std::vector<std::string>{"p", "q\\", "3"}));
}

TEST(Toml, NamesTheLineOfWhatItDoesNotRead) {
    for (const char* text : {"a", "a =", "= 1", "a = [", "a = [1 2]", "a = [[1]]", "a = {b = 1}",
                             "a = \"\\n\"", "a = 'x", "[a.b]", "[[a]]", "[a", "a.b = 1",
                             "\"a\" = 1", "a = \"\"\"x\"\"\"", "a = truee", "a = 1 2", "\xff = 1"})
        EXPECT_TRUE(refusal(std::string("ok = 1\n") + text).starts_with("f:2: ")) << text;
    EXPECT_EQ(refusal("a = 1\n[b]\na = 1\na = 2"), "f:4: line 3 has this already");
    EXPECT_EQ(refusal("[b]\n[c]\n[b]"), "f:3: line 1 has this already");
    EXPECT_EQ(refusal(std::string_view("a = 1\nb = \"\0\"", 13)),
              "f:2: holds a NUL byte, so it is no text");
}

}  // namespace
}  // namespace rope::io
