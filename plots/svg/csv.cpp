#include "plots/svg/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <vector>

#include "base/csv.hpp"

namespace rope::plots {
namespace {

struct Reader {
    const Series* series;
    std::size_t next = 0;

    double x() const {
        const bool ended = next == series->x.size();
        return ended ? std::numeric_limits<double>::infinity() : series->x[next];
    }
};

void append(std::string& csv, double x) {
    if (std::isfinite(x)) fmt::format_to(std::back_inserter(csv), "{}", x == 0 ? 0.0 : x);
}

}  // namespace

std::string to_csv(const Figure& figure) {
    std::string csv = csv_cell(figure.panels.empty() ? "x" : figure.panels.front().x.label);
    std::vector<Reader> readers;
    for (const Panel& panel : figure.panels) {
        for (const Series& series : panel.series) {
            if (series.mark == Mark::guide) continue;
            csv += "," +
                   csv_cell(panel.title.empty() ? series.label : panel.title + ": " + series.label);
            readers.push_back({&series});
        }
    }
    csv += "\n";
    const auto least_x = [&] { return std::ranges::min(readers, {}, &Reader::x).x(); };
    while (!readers.empty() && std::isfinite(least_x())) {
        const double x = least_x();
        append(csv, x);
        for (Reader& reader : readers) {
            csv += ",";
            if (reader.x() == x) append(csv, reader.series->y[reader.next++]);
        }
        csv += "\n";
    }
    return csv;
}

}  // namespace rope::plots
