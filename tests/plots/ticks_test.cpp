#include "plots/parts/ticks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <string>

#include "plots/parts/text.hpp"

namespace rope::plots {
namespace ticks_test {

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

}  // namespace ticks_test
}  // namespace rope::plots
