#include "base/suggest.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/arguments.hpp"

namespace rope::cli {
namespace suggest_test {

TEST(EditDistance, CountsEditsAndSwaps) {
    EXPECT_EQ(edit_distance("", ""), 0U);
    EXPECT_EQ(edit_distance("", "abc"), 3U);
    EXPECT_EQ(edit_distance("verify", "verify"), 0U);
    EXPECT_EQ(edit_distance("verfy", "verify"), 1U);
    EXPECT_EQ(edit_distance("verifyy", "verify"), 1U);
    EXPECT_EQ(edit_distance("vermfy", "verify"), 1U);
    EXPECT_EQ(edit_distance("--dmi", "--dim"), 1U);  // a swap is one edit
    EXPECT_EQ(edit_distance("abc", "cba"), 2U);
    EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(EditDistance, IsSymmetric) {
    const std::string_view words[] = {"", "a", "verify", "compare", "plot-decay", "plot-angles"};
    for (const auto a : words) {
        for (const auto b : words) EXPECT_EQ(edit_distance(a, b), edit_distance(b, a));
    }
}

TEST(Nearest, IsAtMostTwoEditsAway) {
    const std::string_view known[] = {"verify", "compare", "plot-decay"};
    EXPECT_EQ(nearest("verfiy", known), "verify");
    EXPECT_EQ(nearest("vrfy", known), "verify");
    EXPECT_EQ(nearest("vy", known), "");
    EXPECT_EQ(nearest("", known), "");
    EXPECT_EQ(nearest(std::string(100'000, 'x'), known), "");
}

TEST(Nearest, SuggestsNothingIfEveryShortWordIsNear) {
    const std::string_view known[] = {"-o", "-q"};
    EXPECT_EQ(nearest("xy", known), "");
    EXPECT_EQ(nearest("-x", known), "");
}

TEST(UnknownWord, SuggestsOrLists) {
    const std::string_view known[] = {"text", "json"};
    EXPECT_STREQ(unknown_word("format", "jsn", known).what(),
                 "unknown format 'jsn'; did you mean 'json'?");
    EXPECT_STREQ(unknown_word("format", "zebra", known).what(),
                 "unknown format 'zebra'; known: text, json");
    EXPECT_STREQ(unknown_word("format", "a\nb", known).what(),
                 "unknown format 'a\\nb'; known: text, json");
}

TEST(UnknownWord, ListsOptionsThatContainIt) {
    const std::string_view known[] = {"qwen3-8b", "phi-4", "qwen2.5-7b"};
    EXPECT_STREQ(unknown_word("model", "qwen", known).what(),
                 "unknown model 'qwen'; with it in the name: qwen3-8b, qwen2.5-7b");
    EXPECT_STREQ(unknown_word("model", "q", known).what(),
                 "unknown model 'q'; known: qwen3-8b, phi-4, qwen2.5-7b");
}

TEST(UnknownWord, ListsNoMoreThanAFewLinesHold) {
    const std::vector<std::string_view> known(142, "001-c3");
    const std::string said = unknown_word("claim", "zebra", known).what();
    EXPECT_TRUE(said.ends_with("001-c3, … (142)")) << said;
    EXPECT_LT(said.size(), 300u);
}

}  // namespace suggest_test
}  // namespace rope::cli
