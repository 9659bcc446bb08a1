#include "plots/svg/series_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "plots/svg/ink.hpp"
#include "plots/svg/path.hpp"

namespace rope::plots {
namespace {

// min…max of the columns, closed; nothing where every column is a single point
void add_band(Path& path, const Run& run) {
    if (std::ranges::all_of(run, [](const Column& c) { return c.low == c.high; })) return;
    path.move_to(run.front().x, run.front().high);
    for (auto c = run.begin() + 1; c != run.end(); ++c) path.line_to(c->x, c->high);
    for (auto c = run.rbegin(); c != run.rend(); ++c) path.line_to(c->x, c->low);
    path.close();
}

void add_line(Path& path, const Run& run) {
    if (run.size() == 1) return path.dot(run.front().x, run.front().mean);
    path.move_to(run.front().x, run.front().mean);
    for (auto c = run.begin() + 1; c != run.end(); ++c) path.line_to(c->x, c->mean);
}

std::string_view stroke_of(Mark mark) {
    if (mark == Mark::guide) return "1.4\" stroke-opacity=\".4";
    return mark == Mark::path ? "1.1" : "1.6";
}

std::string draw_line(const DrawnSeries& drawn, const std::string& band_opacity) {
    const Series& series = *drawn.series;
    Path band, line;
    for (const Run& run : drawn.runs) {
        add_band(band, run);
        if (series.mark != Mark::band) add_line(line, run);
    }
    std::string svg;
    if (!band.empty())
        svg += fmt::format("<path {} fill-opacity=\"{}\" stroke=\"none\" d=\"{}\"/>\n",
                           filled(series.color), band_opacity, band.data());
    if (!line.empty())
        svg += fmt::format("<path {} stroke-width=\"{}\"{}{} d=\"{}\"/>\n", stroked(series.color),
                           stroke_of(series.mark), dashes(series.color).empty() ? "" : " ",
                           dashes(series.color), line.data());
    return svg;
}

std::string draw_dot_series(const DrawnSeries& drawn) {
    Path path;
    for (const Dot& dot : drawn.dots) path.dot(dot.px, dot.py);
    if (path.empty()) return "";
    return fmt::format("<path {} stroke-width=\"{}\" d=\"{}\"/>\n", stroked(drawn.series->color),
                       drawn.series->points() <= few_dots ? "5.6" : "2.2", path.data());
}

}  // namespace

std::string draw_lines(std::span<const DrawnSeries> drawn, const Box& box) {
    // of many above one another, so that none hides the others
    const double share = std::min(0.3, 0.9 / static_cast<double>(drawn.size()));
    const std::string band_opacity = fmt::format("{:.2g}", share).substr(1);
    std::string guides, lines;
    for (const DrawnSeries& each : drawn)
        (each.series->mark == Mark::guide ? guides : lines) += draw_line(each, band_opacity);
    if (guides.empty() && lines.empty()) return "";
    // a nested svg clips without an id; 2 pixels more keep a line along the edge whole
    return fmt::format(
        "<svg y=\"-2\" width=\"{0}\" height=\"{1}\" viewBox=\"0 -2 {0} {1}\" fill=\"none\" "
        "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n{2}</svg>\n",
        pixels(box.width), pixels(box.height + 4), guides + lines);
}

std::string draw_dots(std::span<const DrawnSeries> drawn) {
    std::string svg;
    for (const DrawnSeries& each : drawn) svg += draw_dot_series(each);
    return svg.empty() ? "" : "<g fill=\"none\" stroke-linecap=\"round\">\n" + svg + "</g>\n";
}

}  // namespace rope::plots
