// Numbers over a grid of cells, as colours.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace rope::plots {

struct Heatmap {
    std::vector<double> edges = {};           // column k is edges[k] ≤ x < edges[k + 1]
    std::vector<std::uint32_t> columns = {};  // shown by each of equal parts of the x axis
    std::vector<std::string> rows = {};       // their names, from the bottom up
    std::vector<float> values = {};  // rows × columns, from the bottom up; below 0: no cell
    double low = 1e-8, high = 1;     // the ends of the colours, which are of log₁₀
    std::string label = {};          // of the scale of colours

    float at(std::size_t row, std::size_t column) const {
        return values[row * (edges.size() - 1) + column];
    }
};

}  // namespace rope::plots
