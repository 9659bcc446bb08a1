#include "base/text.hpp"

#include <gtest/gtest.h>

#include <array>

#include "base/utf8.hpp"

namespace rope {
namespace text_test {

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

}  // namespace text_test
}  // namespace rope
