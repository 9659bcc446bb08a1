// A figure with one element of each kind and dyadic numbers: its drawing is the same with every
// libm.
#pragma once

#include <cmath>
#include <limits>

#include "plots/parts/figure.hpp"
#include "plots/parts/ticks.hpp"

namespace rope::plots {

inline Panel linear_example() {
    const double gap = std::numeric_limits<double>::quiet_NaN();
    Panel panel;
    panel.title = "left";
    panel.subtitle = "dots over a guide";
    panel.x = {"distance s", Scale::linear, 0, 8, decimal_ticks(0, 8, 5)};
    panel.y = {"angle", Scale::linear, -1, 1, decimal_ticks(-1, 1, 5)};
    panel.series = {{"", Mark::guide, 0, {0, 4, 4, 4, 8}, {-1, 1, gap, -1, 1}},
                    {"whole s", Mark::dots, 0, {1, 2, 3, 5, 6, 7}, {-0.5, 0, 0.5, -0.5, 0, 0.5}}};
    panel.rules = {{4, "n = 4"}};
    panel.markers = {{5, -0.5, "R1"}};
    return panel;
}

inline Panel log_example() {
    Panel panel;
    panel.title = "right";
    panel.x = {"distance s", Scale::log2, 1, 1024, power_of_two_ticks(1, 1024, 6)};
    panel.y = {"score", Scale::linear, 0, 1, decimal_ticks(0, 1, 6)};
    Series falling{"falling", Mark::line, 1};
    Series spread{"spread", Mark::band, 2};
    for (int k = 0; k <= 10; ++k) {
        falling.x.push_back(std::ldexp(1, k));
        falling.y.push_back(1 - k / 16.0);
        for (const double y : {0.125, 0.375}) {
            spread.x.push_back(std::ldexp(1, k));
            spread.y.push_back(y);
        }
    }
    panel.series = {falling, spread};
    return panel;
}

inline Figure example_figure() {
    Figure figure;
    figure.title = "One of everything";
    figure.subtitle = "from fixed numbers";
    figure.description = "Two panels.";
    figure.notes = {"a note"};
    figure.columns = 2;
    figure.panels = {linear_example(), log_example()};
    figure.version = "0.0.0";
    figure.command = "rope-check plot-example --label '<a & b>'";
    figure.parameters = {{"head_dim", "4"}};
    return figure;
}

}  // namespace rope::plots
