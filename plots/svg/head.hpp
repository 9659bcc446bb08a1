// The head of a panel: its title, its subtitle, and the legend.
#pragma once

#include <string>
#include <vector>

#include "plots/parts/figure.hpp"
#include "plots/text/text_width.hpp"

namespace rope::plots {

struct LegendEntry {
    const Series* series;
    std::string label;
    double left;  // of its swatch
};
using LegendRow = std::vector<LegendEntry>;

struct Head {
    std::vector<std::string> title, subtitle;  // lines
    std::vector<LegendRow> legend;             // empty unless there are two series to distinguish
};

// Wrapped to the width. The panel must outlive it.
Head head_of(const Panel& panel, double width);
double head_height(const Head& head);

// Downward from y = top.
std::string draw_head(const Head& head, double top);

}  // namespace rope::plots
