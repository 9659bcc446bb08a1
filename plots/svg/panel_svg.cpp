#include "plots/svg/panel_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/utf8.hpp"
#include "base/xml.hpp"
#include "plots/svg/frame.hpp"
#include "plots/svg/path.hpp"
#include "plots/svg/series_svg.hpp"

namespace rope::plots {
namespace {

std::string text(double x, double y, std::string_view attributes, std::string_view words) {
    return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", pixels(x), pixels(y),
                       attributes.empty() ? "" : " ", attributes, xml_escape(words));
}

std::string draw_legend(const LegendRow& row, double y) {
    std::string svg =
        fmt::format("<text x=\"0\" y=\"{}\" font-size=\"12\" fill=\"#222\">", pixels(y));
    bool first = true;
    for (const Series* series : row) {
        svg += fmt::format("<tspan{} font-weight=\"bold\" fill=\"{}\">{}</tspan>",
                           first ? "" : " dx=\"18\"", palette(series->color),
                           series->mark == Mark::dots ? "●" : "━━");
        svg += fmt::format("<tspan dx=\"7\">{}</tspan>", xml_escape(series->label));
        first = false;
    }
    return svg + "</text>\n";
}

std::string draw_head(const Panel& panel, const Box& box) {
    std::string svg;
    double y = -box.head;
    if (!panel.title.empty()) {
        y += title_height;
        svg += text(0, y - 4, "font-size=\"14\" font-weight=\"bold\" fill=\"#111\"", panel.title);
    }
    if (!panel.subtitle.empty()) {
        y += subtitle_height;
        svg += text(0, y - 3, "font-size=\"12\" fill=\"#555\"", panel.subtitle);
    }
    for (const LegendRow& row : legend_rows(panel, box.width)) {
        y += legend_height;
        svg += draw_legend(row, y - 3);
    }
    return svg;
}

std::string draw_zones(const Panel& panel, const Frame& frame) {
    constexpr std::array<std::string_view, 4> tints = {"#fff", "#fdf1d0", "#e3eff8", "#eee"};
    constexpr double character = 6.2;  // DejaVu Sans at 10 px, on average
    std::string svg, labels;
    for (const Zone& zone : panel.zones) {
        const double left = std::clamp(frame.x(zone.first), 0.0, frame.width);
        const double wide = std::clamp(frame.x(zone.last), 0.0, frame.width) - left;
        const auto tint = static_cast<std::size_t>(zone.tint) % tints.size();
        svg += fmt::format("<rect x=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                           pixels(left), pixels(wide), pixels(frame.height), tints[tint]);
        if (character * static_cast<double>(code_points(zone.label)) > wide) continue;
        labels += text(left + wide / 2, frame.height - 7, "", zone.label);
    }
    if (labels.empty()) return svg;
    return svg + "<g font-size=\"10\" fill=\"#666\" text-anchor=\"middle\">\n" + labels + "</g>\n";
}

std::string draw_grid(const Panel& panel, const Frame& frame) {
    Path grid, rules;
    const auto vertical = [&](Path& path, double x) {
        if (!frame.holds(frame.x(x), 0)) return;
        path.move_to(frame.x(x), frame.height);
        path.line_to(frame.x(x), 0);
    };
    const auto horizontal = [&](Path& path, double y) {
        if (!frame.holds(0, frame.y(y))) return;
        path.move_to(0, frame.y(y));
        path.line_to(frame.width, frame.y(y));
    };
    for (const Tick& tick : panel.x.ticks) vertical(grid, tick.value);
    for (const Tick& tick : panel.y.ticks) horizontal(grid, tick.value);
    for (const Rule& rule : panel.rules) vertical(rules, rule.x);
    for (const Level& level : panel.levels) horizontal(rules, level.y);
    std::string svg;
    if (!grid.empty()) svg += "<path stroke=\"#e5e5e5\" d=\"" + grid.data() + "\"/>\n";
    if (!rules.empty()) {
        svg += "<path stroke=\"#777\" stroke-dasharray=\"5 4\" d=\"" + rules.data() + "\"/>\n";
    }
    return svg;
}

std::string draw_axes(const Panel& panel, const Frame& frame) {
    const double h = frame.height;
    Path lines;
    lines.move_to(0, 0);
    lines.line_to(0, h);
    lines.line_to(frame.width, h);
    std::string labels;
    for (const Tick& tick : panel.x.ticks) {
        const double x = frame.x(tick.value);
        if (!frame.holds(x, 0)) continue;
        lines.move_to(x, h);
        lines.line_to(x, h + 5);
        labels += text(x, h + 19, "text-anchor=\"middle\"", tick.label);
    }
    for (const Tick& tick : panel.y.ticks) {
        const double y = frame.y(tick.value);
        if (!frame.holds(0, y)) continue;
        lines.move_to(0, y);
        lines.line_to(-5, y);
        labels += text(-9, y + 4, "text-anchor=\"end\"", tick.label);
    }
    return "<path fill=\"none\" stroke=\"#444\" d=\"" + lines.data() + "\"/>\n" +
           "<g font-size=\"12\" fill=\"#444\">\n" + labels + "</g>\n" +
           text(frame.width / 2, h + 41, "font-size=\"13\" text-anchor=\"middle\" fill=\"#222\"",
                panel.x.label) +
           fmt::format(
               "<text transform=\"translate(-56 {}) rotate(-90)\" font-size=\"13\" "
               "text-anchor=\"middle\" fill=\"#222\">{}</text>\n",
               pixels(h / 2), xml_escape(panel.y.label));
}

std::string draw_annotations(const Panel& panel, const Frame& frame) {
    std::string rings, tags;
    for (const Rule& rule : panel.rules) {
        const double x = frame.x(rule.x);
        if (!frame.holds(x, 0)) continue;
        const bool left_of_it = x > frame.width * 0.8;
        tags += text(x + (left_of_it ? -6 : 6), 13, left_of_it ? "text-anchor=\"end\"" : "",
                     rule.label);
    }
    for (const Level& level : panel.levels) {
        const double y = frame.y(level.y);
        if (frame.holds(0, y)) tags += text(8, y + (y < 20 ? 15 : -6), "", level.label);
    }
    for (const Marker& marker : panel.markers) {
        const double x = frame.x(marker.x);
        const double y = frame.y(marker.y);
        if (!frame.holds(x, y)) continue;
        rings += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"5.5\"/>\n", pixels(x), pixels(y));
        const bool right_of_it = x < 26;
        tags += text(x + (right_of_it ? 9 : -9), y - 4, right_of_it ? "" : "text-anchor=\"end\"",
                     marker.tag);
    }
    if (tags.empty()) return "";
    // the white outline keeps a tag readable over whatever it crosses
    return "<g fill=\"none\" stroke=\"#111\" stroke-width=\"1.5\">\n" + rings + "</g>\n" +
           "<g font-size=\"12\" fill=\"#111\" paint-order=\"stroke\" stroke=\"#fff\" "
           "stroke-width=\"3\" stroke-linejoin=\"round\">\n" +
           tags + "</g>\n";
}

}  // namespace

std::string draw_panel(const Panel& panel, const Box& box) {
    const Frame frame(panel, box);
    return fmt::format("<g transform=\"translate({} {})\">\n", pixels(box.left), pixels(box.top)) +
           draw_head(panel, box) + draw_zones(panel, frame) + draw_grid(panel, frame) +
           draw_lines(panel, box) + draw_axes(panel, frame) + draw_dots(panel, box) +
           draw_annotations(panel, frame) + "</g>\n";
}

}  // namespace rope::plots
