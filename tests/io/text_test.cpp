#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "base/error.hpp"
#include "base/utf8.hpp"
#include "io/text/document.hpp"
#include "io/text/number.hpp"
#include "tests/io/error_message.hpp"
#include "tests/rope/seeded.hpp"

namespace rope::io::text_test {

constexpr std::uint64_t largest = std::numeric_limits<std::uint64_t>::max();

TEST(WholeNumber, AcceptsDigitsInRange) {
    EXPECT_EQ(parse_whole("--dim", "2", 2, 65536), 2u);
    EXPECT_EQ(parse_whole("--dim", "65536", 2, 65536), 65536u);
    EXPECT_EQ(parse_whole("--seed", "0", 0, largest), 0u);
    EXPECT_EQ(parse_whole("--seed", "18446744073709551615", 0, largest), largest);
    EXPECT_EQ(parse_whole("--context", "4k", 1, largest), 4096u);
    EXPECT_EQ(parse_whole("--max-memory", "2T", 1, largest), std::uint64_t{2} << 40);
}

TEST(WholeNumber, RefusesEverythingElseWithTheFieldTheValueAndTheRange) {
    for (const char* text :
         {"",   " ",    "010",   "00",  "0x40", "+128", "-1",   "-0",   "1e3",   "128.0", "128 ",
          " 5", "128k", "1,000", "1_0", "١٢",   "nan",  "true", "1 28", "65537", "1",     "0"}) {
        const std::string message =
            error_message<InputError>([&] { parse_whole("--dim", text, 2, 65536); });
        EXPECT_TRUE(message.starts_with(std::string("--dim: '") + text +
                                        "' is not a whole number from 2 to 65536"))
            << message;
    }
}

TEST(WholeNumber, ShowsAHostileValueSafely) {
    const std::string message =
        error_message<InputError>([] { parse_whole("--dim", "\x1b[2J8\n", 2, 8); });
    EXPECT_EQ(message, "--dim: '\\x1b[2J8\\n' is not a whole number from 2 to 8");
}

TEST(RealNumbers, AreRead) {
    for (const auto& [text, value] : {std::pair{"1e6", 1e6},
                                      {"500000", 5e5},
                                      {"0.25", 0.25},
                                      {"1e-9", 1e-9},
                                      {"0", 0.0},
                                      {"-2", -2.0},
                                      {"10000.0", 1e4},
                                      {"1.5E+3", 1500.0},
                                      {"4.9e-324", 4.9e-324},
                                      {"1.7976931348623157e308", 1.7976931348623157e308}})
        EXPECT_EQ(parse_real("--base", text), value) << text;
}

TEST(RealNumbers, RefusesEverythingElseWithTheFieldAndTheValue) {
    for (const char* text : {"",    " 5",   "5 ",       "010",  "-010",  "00.5", "nan",   "NaN",
                             "inf", "-inf", "infinity", "0x40", "0x1p3", "1,5",  "1.5.2", "1e",
                             "e5",  "+5",   "--5",      "10k",  "1/2",   "½",    "nan(1)"}) {
        const std::string message = error_message<InputError>([&] { parse_real("--base", text); });
        EXPECT_EQ(message,
                  std::string("--base: '") + text + "' is not a number such as 10000 or 1e6");
    }
}

TEST(NumberText, WritesEachNumberAsAPersonWould) {
    EXPECT_EQ(plain(500000), "500000");
    EXPECT_EQ(plain(0.25), "0.25");
    EXPECT_EQ(plain(1e20), "1e+20");
    EXPECT_EQ(brief(2), "2.0");
    EXPECT_EQ(brief(0.00390625), "3.9e-3");
    EXPECT_EQ(brief(0.25), "0.25");
    EXPECT_EQ(brief(0.012), "0.012");
    EXPECT_EQ(brief(42), "42");
    EXPECT_EQ(brief(9.99), "10");
    EXPECT_EQ(brief(1e9), "1.0e9");
    EXPECT_EQ(brief(0), "0");
    EXPECT_EQ(brief(-5.96e-8), "-6.0e-8");
    EXPECT_EQ(brief(std::numeric_limits<double>::quiet_NaN()), "nan");
    EXPECT_EQ(significant(0.99999939, 9), "0.99999939");
    EXPECT_EQ(significant(-1, 9), "-1");
    EXPECT_EQ(hexfloat(0x1.ffffeb9f27312p-1), "0x1.ffffeb9f27312p-1");
    EXPECT_EQ(hexfloat(-1), "-0x1p+0");
    EXPECT_EQ(hexfloat(-0.0), "-0x0p+0");
    EXPECT_EQ(hexfloat(std::numeric_limits<double>::infinity()), "inf");
    EXPECT_EQ(grouped(0), "0");
    EXPECT_EQ(grouped(999), "999");
    EXPECT_EQ(grouped(17'179'869'184), "17,179,869,184");
}

TEST(ByteCount, IsWrittenSoThatAsMuchIsEnough) {
    EXPECT_EQ(byte_count(512), "512 bytes");
    EXPECT_EQ(byte_count(std::uint64_t{4} << 30), "4 GiB");
    EXPECT_EQ(byte_count((std::uint64_t{4} << 30) + 1), "4.1 GiB");
    EXPECT_EQ(byte_count(51'200'000), "49 MiB");
}

TEST(RealNumbers, RefusesNumbersThatFloat64CannotRepresent) {
    for (const char* text : {"1e999", "1e-999"})
        EXPECT_EQ(
            error_message<InputError>([&] { parse_real("--base", text); }),
            std::string("--base: '") + text + "' is not a number that a float64 can represent");
}

TEST(NumberText, WritesNoSignOfNaN) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    for (const double x : {nan, -nan}) {
        EXPECT_EQ(significant(x, 9), "nan");
        EXPECT_EQ(hexfloat(x), "nan");
        EXPECT_EQ(brief(x), "nan");
    }
}

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

}  // namespace rope::io::text_test
