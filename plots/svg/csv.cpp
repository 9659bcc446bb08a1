#include "plots/svg/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <vector>

#include "base/printable.hpp"

namespace rope::plots {
namespace {

// A spreadsheet runs a cell that starts with one of these. Tabs and line ends, which it skips, are
// escaped.
std::string cell(std::string_view text) {
    const std::string shown = printable(text, text.size());
    std::string quoted = "\"";
    if (!shown.empty() && std::string_view("=+-@").find(shown.front()) != std::string_view::npos)
        quoted += '\'';
    for (const char c : shown) quoted += c == '"' ? "\"\"" : std::string(1, c);
    return quoted + "\"";
}

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
    std::string csv = cell(figure.panels.empty() ? "x" : figure.panels.front().x.label);
    std::vector<Reader> readers;
    for (const Panel& panel : figure.panels) {
        for (const Series& series : panel.series) {
            if (series.mark == Mark::guide) continue;
            csv +=
                "," + cell(panel.title.empty() ? series.label : panel.title + ": " + series.label);
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
