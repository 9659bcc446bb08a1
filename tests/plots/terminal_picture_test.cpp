#include "plots/raster/terminal_picture.hpp"

#include <gtest/gtest.h>

#include <charconv>
#include <map>
#include <string>
#include <utility>

namespace rope::plots {
namespace {

// As a VT340 reads it: pixels by their place, and the colours in percent.
struct Screen {
    std::map<std::pair<int, int>, int> pixels;
    std::map<int, std::vector<int>> colors;
    std::vector<int> raster;
};

std::vector<int> numbers_at(const std::string& text, std::size_t& at) {
    std::vector<int> all;
    do {
        int number = 0;
        const char* const begin = text.data() + ++at;
        at = static_cast<std::size_t>(
            std::from_chars(begin, text.data() + text.size(), number).ptr - text.data());
        all.push_back(number);
    } while (text[at] == ';');
    return all;
}

Screen shown(const std::string& text) {
    EXPECT_TRUE(text.starts_with("\x1bPq"));
    EXPECT_TRUE(text.ends_with("\x1b\\"));
    Screen screen;
    int x = 0, top = 0, color = 0, count = 1;
    for (std::size_t at = 3; at + 2 < text.size();) {
        if (text[at] == '"') {
            screen.raster = numbers_at(text, at);
        } else if (text[at] == '#') {
            const std::vector<int> numbers = numbers_at(text, at);
            color = numbers[0];
            if (numbers.size() > 1) screen.colors[color] = numbers;
        } else if (text[at] == '!') {
            count = numbers_at(text, at)[0];
        } else if (text[at] == '$' || text[at] == '-') {
            x = 0;
            if (text[at++] == '-') top += 6;
        } else {
            EXPECT_TRUE(text[at] >= '?' && text[at] <= '~') << text[at];
            for (; count > 0; --count, ++x)
                for (int row = 0; row < 6; ++row)
                    if ((text[at] - '?') >> row & 1) screen.pixels[{x, top + row}] = color;
            count = 1;
            ++at;
        }
    }
    return screen;
}

TEST(Sixel, ShowsEveryPixelInItsColor) {
    // 13 rows are two bands and a row; 40 columns have runs of every length
    Picture picture{40, 13, {}, {}};
    for (int k = 0; k < 7; ++k)
        picture.palette.push_back({static_cast<std::uint8_t>(40 * k), 255, 0});
    for (std::uint32_t at = 0; at < 40 * 13; ++at)
        picture.pixels.push_back(static_cast<std::uint8_t>(at * at / 37 % 11 % 7));
    const Screen screen = shown(sixel_of(picture));
    EXPECT_EQ(screen.raster, (std::vector{1, 1, 40, 13}));
    ASSERT_EQ(screen.pixels.size(), picture.pixels.size());
    for (const auto& [place, color] : screen.pixels)
        ASSERT_EQ(color, picture.pixels[static_cast<std::size_t>(40 * place.second + place.first)]);
    EXPECT_EQ(screen.colors.at(0), (std::vector{0, 2, 0, 100, 0}));
    EXPECT_EQ(screen.colors.at(6), (std::vector{6, 2, 94, 100, 0}));
}

TEST(Sixel, OfOneColorIsARunForEachBand) {
    const Picture picture{1000, 12, {{255, 255, 255}}, std::vector<std::uint8_t>(12000)};
    EXPECT_EQ(sixel_of(picture), "\x1bPq\"1;1;1000;12#0;2;100;100;100#0!1000~$-#0!1000~$-\x1b\\");
}

TEST(Kitty, GetsPartsOf4096BytesAndKnowsTheLast) {
    const std::string one = kitty_of("abc", 80);
    EXPECT_EQ(one, "\x1b_Ga=T,f=100,q=2,c=80,m=0;YWJj\x1b\\");
    const std::string three = kitty_of(std::string(3 * 2048 + 1, '\0'), 7);
    EXPECT_EQ(three, "\x1b_Ga=T,f=100,q=2,c=7,m=1;" + std::string(4096, 'A') + "\x1b\\\x1b_Gm=1;" +
                         std::string(4096, 'A') + "\x1b\\\x1b_Gm=0;AA==\x1b\\");
}

}  // namespace
}  // namespace rope::plots
