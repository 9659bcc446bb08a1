#include "plots/csv/heatmap_csv.hpp"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <string>
#include <vector>

#include "base/csv.hpp"

namespace rope::plots {
namespace {

// The rows of the panel that has most.
std::vector<std::string> row_names(const Figure& figure) {
    std::vector<std::string> names;
    for (const Panel& panel : figure.panels)
        if (panel.heatmap && panel.heatmap->rows.size() > names.size()) names = panel.heatmap->rows;
    return names;
}

std::string column_line(const Heatmap& heatmap, std::size_t column, std::size_t cells) {
    std::string line = fmt::format("{},{}", heatmap.edges[column], heatmap.edges[column + 1]);
    for (std::size_t row = 0; row < cells; ++row) {
        line += ",";
        if (row >= heatmap.rows.size()) continue;
        const float value = heatmap.at(row, column);
        if (value >= 0 && std::isfinite(value))
            fmt::format_to(std::back_inserter(line), "{}", value);
    }
    return line + "\n";
}

}  // namespace

void write_heatmaps(const Figure& figure, const std::function<void(std::string_view)>& write) {
    const bool is_alone = figure.panels.size() == 1;
    const std::vector<std::string> names = row_names(figure);
    std::string header = is_alone ? "" : csv_cell("subject") + ",";
    header += csv_cell("from") + "," + csv_cell("to");
    for (const std::string& name : names) header += "," + csv_cell(name);
    write(header + "\n");
    for (const Panel& panel : figure.panels) {
        if (!panel.heatmap) continue;
        const std::string subject = is_alone ? "" : csv_cell(panel.title) + ",";
        for (std::size_t column = 0; column + 1 < panel.heatmap->edges.size(); ++column)
            write(subject + column_line(*panel.heatmap, column, names.size()));
    }
}

}  // namespace rope::plots
