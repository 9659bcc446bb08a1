#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>
#include <sstream>
#include <string>
#include <utility>

#include "plots/parts/text.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots::text_width_test {

TEST(TextWidth, EqualsLibrsvgs) {
    std::ifstream golden(ROPE_CHECK_TESTS "/golden/plots/text_widths.txt");
    int read = 0;
    for (std::string line; std::getline(golden, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream row(line);
        std::string weight, width, text;
        std::getline(row, weight, '\t');
        std::getline(row, width, '\t');
        std::getline(row, text);
        const Weight drawn = weight == "bold" ? Weight::bold : Weight::regular;
        EXPECT_NEAR(text_width(text, {1, drawn}), std::stod(width), 0.03 * std::stod(width))
            << text;
        ++read;
    }
    EXPECT_EQ(read, 20);
}

// A few letters have the width of a wider letter, which keeps the table short.
TEST(TextWidth, OfACharacterIsItsAdvanceInTheFont) {
    const std::string wider = "θ π β Σ √ ⱼ ẑ";
    std::ifstream golden(ROPE_CHECK_TESTS "/golden/plots/advances.txt");
    int read = 0;
    for (std::string line; std::getline(golden, line);) {
        if (line.starts_with('#')) continue;
        std::istringstream row(line);
        double regular = 0, bold = 0;
        std::string text;
        row >> regular >> bold;
        std::getline(row.ignore(), text);
        for (const auto& [weight, units] :
             {std::pair{Weight::regular, regular}, {Weight::bold, bold}}) {
            const double advance = std::round(1000 * units / 2048);
            const double found = text_width(text, {1000, weight});
            if (text == " " || wider.find(text) == wider.npos)
                EXPECT_NEAR(found, advance, 1e-9) << text;
            else
                EXPECT_GE(found, advance) << text;
        }
        ++read;
    }
    EXPECT_EQ(read, 146);
}

TEST(TextWidth, CountsTheEscapesOfUnsafeText) {
    EXPECT_EQ(text_width("\n", {10}), text_width("\\n", {10}));
    EXPECT_EQ(text_width("e\u0301", {10}), text_width("e", {10}));
    EXPECT_EQ(text_width("\u8a9e", {10}), 10);
}

TEST(Wrapped, BreaksAfterSpacesThenMarksThenAnywhere) {
    using Lines = std::vector<std::string>;
    const Font font{10};
    EXPECT_EQ(wrapped("", 100, font), Lines{});
    EXPECT_EQ(wrapped("one line", 100, font), Lines{"one line"});
    EXPECT_EQ(wrapped("first second", 40, font), (Lines{"first", "second"}));
    EXPECT_EQ(wrapped("first-second", 40, font), (Lines{"first-", "second"}));
    EXPECT_EQ(wrapped("aaaaaaaa", 25, font), (Lines{"aaaa", "aaaa"}));
    EXPECT_EQ(wrapped("aaaaaaaaaaaa", 25, font, 2), (Lines{"aaaa", "aa…"}));
    EXPECT_EQ(wrapped("W", 1, font), Lines{"W"});
}

// "scaled" and an orphan "θ"
TEST(Wrapped, LeavesNoSingleSignOnALine) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(wrapped("base and scaled θ", 90, {10}), (Lines{"base and", "scaled θ"}));
    EXPECT_EQ(wrapped("name (scaled θ) · title", 60, {10}), (Lines{"name", "(scaled θ)", "title"}));
    // not "no pair matches; 19,136 | of 307,200 values"
    EXPECT_EQ(wrapped("no pair matches; 19 of 30 values", 120, {10}),
              (Lines{"no pair matches;", "19 of 30 values"}));
    EXPECT_EQ(wrapped("a; 19 of 30 values are off", 120, {10}),
              (Lines{"a; 19 of 30 values are", "off"}));
    EXPECT_EQ(wrapped("R2 at 262,145, R1 at 524,288", 120, {10}),
              (Lines{"R2 at 262,145, R1", "at 524,288"}));
    EXPECT_EQ(wrapped("at s = 12 · least −0.3734", 100, {10}),
              (Lines{"at s = 12", "least −0.3734"}));
    EXPECT_EQ(balanced("one two three four", 75, {10}), (Lines{"one two", "three four"}));
    EXPECT_EQ(balanced("one line", 100, {10}), Lines{"one line"});
}

// names of configs were cut before ", scaled θ"
TEST(Fitted, KeepsTheEndsOfAName) {
    EXPECT_EQ(fitted("a name", 100, {10}), "a name");
    const std::string name = "a-config-of-a-long-name, scaled θ";
    for (double width = 60; width < 240; width += 9) {
        const std::string cut = fitted(name, width, {10});
        EXPECT_LE(text_width(cut, {10}), width) << cut;
        EXPECT_TRUE(cut.starts_with("a-") && cut.ends_with(" θ")) << cut;
    }
    EXPECT_EQ(fitted("", 10, {10}), "");
}

TEST(Wrapped, IsNeverWiderThanItMayBe) {
    const std::string text =
        "llama-3.1-8b/with_a_name θ₀ = π/4096 · R3 fails at s = 2,049, R2 at 4,097";
    for (int width = 20; width < 700; width += 7)
        for (const std::string& line : wrapped(text, width, {12, Weight::bold}, 9))
            EXPECT_LE(text_width(line, {12, Weight::bold}), width) << line;
}

std::string labels(const std::vector<Tick>& ticks) {
    std::string text;
    for (const Tick& tick : ticks) text += (text.empty() ? "" : " ") + tick.label;
    return text;
}

TEST(Typography, RaisesAndLowersDigits) {
    EXPECT_EQ("2" + superscript(10), "2¹⁰");
    EXPECT_EQ("10" + superscript(-4), "10⁻⁴");
    EXPECT_EQ("θ" + subscript(63), "θ₆₃");
}

TEST(Typography, WritesARealMinusAndNoNegativeZero) {
    EXPECT_EQ(fixed(-0.25, 2), "−0.25");
    EXPECT_EQ(fixed(-1234567.25, 2), "−1,234,567.25");
    EXPECT_EQ(fixed(999, 0), "999");
    EXPECT_EQ(fixed(-0.004, 2), "0.00");
    EXPECT_EQ(fixed(-0.0, 1), "0.0");
    EXPECT_EQ(significant(-0.0, 3), "0");
    EXPECT_EQ(fixed(std::numeric_limits<double>::quiet_NaN(), 2), "–");
    EXPECT_EQ(significant(std::numeric_limits<double>::infinity(), 2), "–");
}

TEST(Typography, WritesPowersOfTen) {
    EXPECT_EQ(significant(7.669903939428206e-5, 4), "7.67×10⁻⁵");
    EXPECT_EQ(significant(10000, 5), "10,000");
    EXPECT_EQ(significant(-1e20, 3), "−1×10²⁰");
}

TEST(Typography, TypesetsTheNumbersOfASentence) {
    EXPECT_EQ(with_typeset_numbers("inv_freq of pair 3 is 4.216965e+29 instead of -1234.5"),
              "inv_freq of pair 3 is 4.216965×10²⁹ instead of −1,234.5");
    EXPECT_EQ(with_typeset_numbers("rows 7–16384 (1e-05, 32768): llama-2-7b, float32 in 2048x4"),
              "rows 7–16,384 (10⁻⁵, 32,768): llama-2-7b, float32 in 2048x4");
    EXPECT_EQ(with_typeset_numbers("nan of -inf, -"), "nan of -inf, -");
}

TEST(Typography, WritesFractionsOfPiInLowestTerms) {
    EXPECT_EQ(pi_fraction(2, 8192), "π/4,096");
    EXPECT_EQ(pi_fraction(-6, 8), "−3π/4");
    EXPECT_EQ(pi_fraction(4, 2), "2π");
    EXPECT_EQ(pi_fraction(0, 2), "0");
}

TEST(Ticks, ReadAsMultiplesOfPi) {
    EXPECT_EQ(labels(pi_ticks(0, 4, 2)), "0 π/2 π 3π/2 2π");
    EXPECT_EQ(labels(pi_ticks(-2, 2, 2)), "−π −π/2 0 π/2 π");
    EXPECT_EQ(pi_ticks(0, 4, 2).back().value, 2 * std::numbers::pi);
}

TEST(Ticks, ReadAsPowersOfTwo) {
    EXPECT_EQ(labels(power_of_two_ticks(1, 1024, 6)), "2⁰ 2² 2⁴ 2⁶ 2⁸ 2¹⁰");
    EXPECT_EQ(labels(power_of_two_ticks(3, 17, 12)), "2² 2³ 2⁴");
    EXPECT_EQ(labels(power_of_two_ticks(0.2, 1, 12)), "2⁻² 2⁻¹ 2⁰");
}

TEST(Ticks, ReadAsRoundDecimals) {
    EXPECT_EQ(labels(decimal_ticks(-0.4, 1, 9)), "−0.4 −0.2 0.0 0.2 0.4 0.6 0.8 1.0");
    EXPECT_EQ(labels(decimal_ticks(0, 50, 6)), "0 10 20 30 40 50");
    EXPECT_EQ(labels(decimal_ticks(0, 35, 9)), "0 5 10 15 20 25 30 35");
    EXPECT_EQ(labels(decimal_ticks(3, 3, 5)), "3");
    EXPECT_EQ(labels(decimal_ticks(0, 3, 9, true)), "0 1 2 3");
    EXPECT_EQ(labels(decimal_ticks(0, 3, 9)), "0.0 0.5 1.0 1.5 2.0 2.5 3.0");
    EXPECT_EQ(labels(decimal_ticks(0, 50, 6, true)), "0 10 20 30 40 50");
}

TEST(Ticks, NeverExceedTheirNumberNorLeaveTheAxis) {
    for (int k = 0; k < 74; ++k) {
        const double last = 0.001 * std::pow(1.37, k);  // to 1e7
        for (const int at_most : {2, 3, 5, 11}) {
            const auto decimal = decimal_ticks(-last / 3, last, at_most);
            ASSERT_LE(decimal.size(), static_cast<std::size_t>(at_most)) << last;
            for (const Tick& tick : decimal) {
                ASSERT_GE(tick.value, -last / 3 * (1 + 1e-9)) << last;
                ASSERT_LE(tick.value, last * (1 + 1e-9)) << last;
            }
            const auto binary = power_of_two_ticks(last / 1e3, last, at_most);
            ASSERT_LE(binary.size(), static_cast<std::size_t>(at_most)) << last;
        }
    }
}

// labels of 61 digits, and an axis with one tick
TEST(Ticks, AreShortAndTwoAtLeast) {
    for (const double size : {1e-300, 1e-12, 1e-4, 1.0, 1e30, 1e300})
        for (const Tick& tick : decimal_ticks(-size, 1.5 * size, 9))
            EXPECT_LE(text_width(tick.label, {12, Weight::regular}), 66) << tick.label;
    for (const double most : {1.0, 7.5, 9.0, 3e-12}) {
        const Axis axis = log_axis("y", {most, most});
        EXPECT_GE(axis.ticks.size(), 2U) << most;
        for (const Tick& tick : axis.ticks) {
            EXPECT_GE(tick.value, axis.first);
            EXPECT_LE(tick.value, axis.last);
        }
    }
}

TEST(Ticks, AreMultiplesOfAContext) {
    EXPECT_EQ(labels(multiples(2048, 8192)), "0 2,048 4,096 6,144 8,192");
}

}  // namespace rope::plots::text_width_test
