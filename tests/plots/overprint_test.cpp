// Every text of every figure is on its page, and no text covers another.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "plots/example_figure.hpp"
#include "plots/figures/figures.hpp"
#include "plots/svg/svg.hpp"
#include "plots/text_boxes.hpp"
#include "rope/specs.hpp"

namespace rope::plots {
namespace overprint_test {

std::string name_of(std::size_t length, std::size_t i) {
    const std::string words = "a-config-whose-name-has-as-many-letters-as-are-asked-for-here";
    return length == 30 ? std::string(length, 'W') : words.substr(i, length);
}

std::vector<NamedSpec> specs_named(std::size_t count, std::size_t length) {
    const double bases[] = {1e4, 1e5, 5e5, 1e6, 2e6, 3e6, 4e6, 1e7};
    std::vector<NamedSpec> specs;
    for (std::size_t i = 0; i < count; ++i)
        specs.push_back({name_of(length, i % 2), i % 3 == 1
                                                     ? spec_of(128, bases[i], llama3(8), 131072)
                                                     : spec_of(128, bases[i])});
    return specs;
}

template <class Draw>
void expect_legible(const Draw& draw) {
    for (const std::size_t count : {1U, 2U, 4U, 8U})
        for (const std::size_t length : {3U, 12U, 30U, 60U})
            EXPECT_EQ(TextBoxes::complaint(to_svg(draw(specs_named(count, length)))), "")
                << count << " Specs named by " << length << " characters";
}

TEST(Overprint, IsSeenWhereThereIsSome) {
    const std::string page = "<svg viewBox=\"0 0 100 50\" width=\"100\" height=\"50\">";
    const std::string word = "<text x=\"4\" y=\"20\" font-size=\"10\">word</text>";
    EXPECT_EQ(TextBoxes::complaint(page + word), "");
    EXPECT_EQ(TextBoxes::complaint(page), "no text");
    EXPECT_EQ(TextBoxes::complaint(page + "<g transform=\"translate(80 0)\">" + word + "</g>"),
              "off the page: word");
    EXPECT_EQ(TextBoxes::complaint(page + word + word), "overprinted: word | word");
    EXPECT_EQ(TextBoxes::complaint(page + word + "<g transform=\"translate(40 9)\">" + word), "");
}

TEST(Overprint, IsNowhereInTheExample) {
    EXPECT_EQ(TextBoxes::complaint(to_svg(example_figure())), "");
}

// 10¹ 2·10¹ 5·10¹ ran into each other
TEST(Overprint, IsNowhereWhereTicksAreDense) {
    for (const int ticks : {1, 2, 7, 40, 300}) {
        Figure figure = example_figure();
        for (Panel& panel : figure.panels)
            for (Axis* axis : {&panel.x, &panel.y}) {
                axis->ticks.clear();
                for (int k = 0; k < ticks; ++k) {
                    const double share = (k + 0.5) / ticks;
                    axis->ticks.push_back(
                        {axis->scale == Scale::linear
                             ? axis->first + share * (axis->last - axis->first)
                             : axis->first * std::pow(axis->last / axis->first, share),
                         "1,048,576"});
                }
            }
        const std::string svg = to_svg(figure);
        EXPECT_EQ(TextBoxes::complaint(svg), "") << ticks;
    }
}

TEST(Overprint, IsNowhereInDecays) {
    expect_legible([](const std::vector<NamedSpec>& specs) { return decay_figure(specs, 1024); });
}

TEST(Overprint, IsNowhereInComparisons) {
    expect_legible(
        [](const std::vector<NamedSpec>& specs) { return comparison_figure(specs, 40, 1024); });
    expect_legible([](const std::vector<NamedSpec>& specs) {
        return comparison_figure(with_scaled(specs), 0, 4096);
    });
}

TEST(Overprint, IsNowhereInAngles) {
    for (const std::uint32_t pair : {0U, 40U})
        expect_legible(
            [&](const std::vector<NamedSpec>& specs) { return angles_figure(specs, pair); });
}

// the last tick, 4,194,304, left the page
TEST(Overprint, IsNowhereAtTheRightEdge) {
    const std::vector<NamedSpec> specs{{"a", spec_of(128, 1e4, linear(4000), 1 << 20)},
                                       {"b", spec_of(128, 1e4, {}, 1 << 20)}};
    EXPECT_EQ(TextBoxes::complaint(to_svg(angles_figure(with_scaled(specs), 60))), "");
}

TEST(Overprint, IsNowhereInSpectra) {
    expect_legible([](const std::vector<NamedSpec>& specs) { return spectrum_figure(specs); });
}

TEST(Overprint, IsNowhereInBaseBounds) {
    for (const BaseQuestion& question :
         {BaseQuestion{{64, 0}, 1024}, BaseQuestion{{2, 0}, 500}, BaseQuestion{{4, 0}, 64},
          BaseQuestion{{40, 24}, 2000}, BaseQuestion{{64, 0}, 3}})
        EXPECT_EQ(TextBoxes::complaint(to_svg(base_bound_figure(question))), "")
            << question.context;
}

}  // namespace overprint_test
}  // namespace rope::plots
