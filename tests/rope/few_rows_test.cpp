#include <gtest/gtest.h>

#include "rope/diagnose/diagnosis.hpp"

namespace rope {
namespace few_rows_test {

bool is_wrong(std::uint64_t wrong, std::uint64_t length) {
    return is_wrong_throughout({.looked = length, .wrong = wrong}, length);
}

TEST(FewRows, AreOneOfFiftyAndTwoAtLeastAndSixteenAtMost) {
    struct Case {
        std::uint64_t length, most;
    };
    for (const auto& [length, most] :
         {Case{8, 2}, {30, 2}, {149, 2}, {150, 3}, {400, 8}, {849, 16}, {850, 16}, {1 << 20, 16}}) {
        EXPECT_FALSE(is_wrong(most, length)) << length;
        EXPECT_TRUE(is_wrong(most + 1, length)) << length;
    }
}

TEST(FewRows, AreAQuarterAtMostOfThoseLookedAt) {
    EXPECT_FALSE(is_wrong_throughout({.looked = 8, .wrong = 2}, 1000));
    EXPECT_TRUE(is_wrong_throughout({.looked = 7, .wrong = 2}, 1000));
}

}  // namespace few_rows_test
}  // namespace rope
