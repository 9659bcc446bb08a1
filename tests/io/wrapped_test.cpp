#include <gtest/gtest.h>

#include <sstream>

#include "base/utf8.hpp"
#include "io/text/document.hpp"
#include "tests/rope/seeded.hpp"

namespace rope::io {
namespace wrapped_test {

TEST(Wrapped, KeepsEveryWordWithinEightyColumns) {
    Seeded random(1);
    for (int round = 0; round < 200; ++round) {
        std::string text = "start:";
        for (std::uint64_t words = random.below(60); words > 0; --words) {
            text += ' ';
            for (std::uint64_t n = 1 + random.below(12); n > 0; --n) text += "θ";
        }
        const std::string lines = wrapped(text, 7);
        std::string joined, line;
        std::istringstream in(lines);
        while (std::getline(in, line)) {
            EXPECT_LE(code_points(line), 80U);
            joined += joined.empty() ? line : " " + line.substr(7);
        }
        EXPECT_EQ(joined, text);
        EXPECT_EQ(lines.back(), '\n');
    }
}

TEST(Wrapped, PutsALongWordOnASeparateLine) {
    const std::string word(100, 'x');
    EXPECT_EQ(wrapped("a " + word + " b", 2), "a\n  " + word + "\n  b\n");
    EXPECT_EQ(wrapped("", 4), "\n");
}

TEST(Hanging, IndentsLaterLinesToTheMark) {
    const std::string word(30, 'x'), text = word + " " + word + " " + word;
    EXPECT_EQ(hanging("  1. ", text), "  1. " + word + " " + word + "\n     " + word + "\n");
    EXPECT_EQ(hanging("  θ. ", text), "  θ. " + word + " " + word + "\n     " + word + "\n");
    EXPECT_EQ(hanging("  1. ", "a"), "  1. a\n");
}

}  // namespace wrapped_test
}  // namespace rope::io
