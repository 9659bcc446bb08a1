#include "plots/csv/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "base/csv.hpp"
#include "plots/csv/heatmap_csv.hpp"
#include "plots/parts/point_reader.hpp"

namespace rope::plots {
namespace {

// ∞ where there is no more
double next_x(const PointReader& reader) {
    return reader.ended() ? std::numeric_limits<double>::infinity() : reader.x();
}

void append(std::string& csv, double x) {
    if (std::isfinite(x)) fmt::format_to(std::back_inserter(csv), "{}", x == 0 ? 0.0 : x);
}

// Panels of another x axis, and cells beside series, are not in the table.
bool is_listed(const Panel& panel, const Figure& figure) {
    return panel.x.label == figure.panels.front().x.label;
}

std::string header(const Figure& figure) {
    std::string header = csv_cell(figure.panels.empty() ? "x" : figure.panels.front().x.label);
    for (const Panel& panel : figure.panels)
        for (const Series& series : panel.series)
            if (series.mark != Mark::guide && is_listed(panel, figure))
                header += "," + csv_cell(panel.title.empty() ? series.label
                                                             : panel.title + ": " + series.label);
    return header + "\n";
}

std::vector<PointReader> listed(const Figure& figure) {
    std::vector<PointReader> readers;
    for (const Panel& panel : figure.panels)
        for (const Series& series : panel.series)
            if (series.mark != Mark::guide && is_listed(panel, figure))
                readers.emplace_back(series);
    return readers;
}

}  // namespace

void write_csv(const Figure& figure, const std::function<void(std::string_view)>& write) {
    if (!figure.panels.empty() && figure.panels.front().heatmap)
        return write_heatmaps(figure, write);
    constexpr std::size_t part = 1 << 16;  // bytes
    std::string csv = header(figure);
    std::vector<PointReader> readers = listed(figure);
    const auto least_x = [&] {
        double least = std::numeric_limits<double>::infinity();
        for (const PointReader& reader : readers) least = std::min(least, next_x(reader));
        return least;
    };
    for (double x = least_x(); std::isfinite(x); x = least_x()) {
        append(csv, x);
        for (PointReader& reader : readers) {
            csv += ",";
            if (next_x(reader) != x) continue;
            append(csv, reader.y());
            reader.advance();
        }
        csv += "\n";
        if (csv.size() < part) continue;
        write(csv);
        csv.clear();
    }
    write(csv);
}

std::string to_csv(const Figure& figure) {
    std::string csv;
    write_csv(figure, [&](std::string_view bytes) { csv += bytes; });
    return csv;
}

}  // namespace rope::plots
