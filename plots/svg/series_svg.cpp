#include "plots/svg/series_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "plots/svg/drawn_dots.hpp"
#include "plots/svg/frame.hpp"
#include "plots/svg/path.hpp"
#include "plots/svg/point_reader.hpp"
#include "plots/svg/reduce.hpp"

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

std::string draw_line(const Series& series, const Frame& frame) {
    ColumnReduction reduction(frame.width);
    for (PointReader at(series); !at.ended(); at.advance())
        reduction.add(frame.x(at.x()), frame.y(at.y()), at.x());
    Path band, line;
    for (const Run& run : std::move(reduction).finish()) {
        add_band(band, run);
        if (series.mark == Mark::line) add_line(line, run);
    }
    std::string svg;
    if (!band.empty()) {
        svg += fmt::format("<path fill=\"{}\" fill-opacity=\".3\" stroke=\"none\" d=\"{}\"/>\n",
                           palette(series.color), band.data());
    }
    if (!line.empty()) {
        svg += fmt::format("<path stroke=\"{}\" stroke-width=\"1.6\" d=\"{}\"/>\n",
                           palette(series.color), line.data());
    }
    return svg;
}

// Every point as it is: a guide is drawn at its corners.
std::string draw_guide(const Series& series, const Frame& frame) {
    Path path;
    bool pen_down = false;
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double x = frame.x(at.x()), y = frame.y(at.y());
        const bool on_paper = std::isfinite(x) && std::isfinite(y);
        if (on_paper && pen_down) path.line_to(x, y);
        if (on_paper && !pen_down) path.move_to(x, y);
        pen_down = on_paper;
    }
    if (path.empty()) return "";
    return fmt::format(
        "<path stroke=\"{}\" stroke-opacity=\".4\" stroke-width=\"1.4\" d=\"{}\"/>\n",
        palette(series.color), path.data());
}

std::string draw_dot_series(const Series& series, const Frame& frame) {
    Path path;
    for (const Dot& dot : drawn_dots(series, frame)) path.dot(dot.px, dot.py);
    if (path.empty()) return "";
    return fmt::format("<path stroke=\"{}\" stroke-width=\"{}\" d=\"{}\"/>\n",
                       palette(series.color), series.points() <= few_dots ? "5.6" : "2.2",
                       path.data());
}

}  // namespace

std::string_view palette(int color) {
    constexpr std::array<std::string_view, 6> colors = {"#0072B2", "#D55E00", "#009E73",
                                                        "#CC79A7", "#E69F00", "#56B4E9"};
    return colors[static_cast<std::size_t>(color) % colors.size()];
}

std::string draw_lines(const Panel& panel, const Box& box) {
    const Frame frame(panel, box);
    std::string svg;
    for (const Series& series : panel.series) {
        if (series.mark == Mark::guide) svg += draw_guide(series, frame);
    }
    for (const Series& series : panel.series) {
        if (series.mark == Mark::line || series.mark == Mark::band) svg += draw_line(series, frame);
    }
    if (svg.empty()) return "";
    // a nested svg clips without an id; 2 pixels more keep a line along the edge whole
    return fmt::format(
        "<svg y=\"-2\" width=\"{0}\" height=\"{1}\" viewBox=\"0 -2 {0} {1}\" fill=\"none\" "
        "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n{2}</svg>\n",
        pixels(box.width), pixels(box.height + 4), svg);
}

std::string draw_dots(const Panel& panel, const Box& box) {
    const Frame frame(panel, box);
    std::string svg;
    for (const Series& series : panel.series) {
        if (series.mark == Mark::dots) svg += draw_dot_series(series, frame);
    }
    return svg.empty() ? "" : "<g fill=\"none\" stroke-linecap=\"round\">\n" + svg + "</g>\n";
}

}  // namespace rope::plots
