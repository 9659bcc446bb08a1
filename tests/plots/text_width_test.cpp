#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <utility>

#include "plots/parts/text.hpp"

namespace rope::plots {
namespace text_width_test {

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

}  // namespace text_width_test
}  // namespace rope::plots
