// A figure as SVG: series, panels, document.
#include "plots/svg/svg.hpp"

#include <fmt/format.h>

#include "base/printable.hpp"
#include "plots/svg/labels.hpp"
#include "plots/svg/raster.hpp"

namespace rope::plots {
namespace {

// Adds the band from min to max of the columns; nothing if every column has one value.
void add_band(Path& path, const Run& run) {
    if (std::ranges::all_of(run, [](const Column& c) { return c.low == c.high; })) return;
    path.move_to(run.front().x, run.front().high);
    for (auto c = run.begin() + 1; c != run.end(); ++c) path.line_to(c->x, c->high);
    for (auto c = run.rbegin(); c != run.rend(); ++c) path.line_to(c->x, c->low);
    path.close();
}

void add_line(Path& path, const Run& run) {
    path.move_to(run.front().x, run.front().mean);
    for (auto c = run.begin() + 1; c != run.end(); ++c) path.line_to(c->x, c->mean);
}

constexpr std::string_view large_dot = "4.2";  // visible as a single dot

std::string_view width_of(Mark mark) {
    return mark == Mark::guide ? "1.4" : mark == Mark::path ? "1.1" : "1.6";
}

std::string draw_line(const DrawnSeries& drawn, const std::string& band_opacity) {
    const Series& series = *drawn.series;
    Path band, line, alone;
    for (const Run& run : drawn.runs) {
        add_band(band, run);
        if (run.size() == 1)
            alone.dot(run.front().x, run.front().mean);
        else if (series.mark != Mark::band)
            add_line(line, run);
    }
    const std::string ink = stroked(series.color);
    const std::string_view opacity = series.mark == Mark::guide ? "\" stroke-opacity=\".5" : "";
    return band.svg(fmt::format("{} fill-opacity=\"{}\" stroke=\"none\"", filled(series.color),
                                band_opacity)) +
           line.svg(fmt::format("{} stroke-width=\"{}{}\"{}", ink, width_of(series.mark), opacity,
                                dashes(series.color))) +
           alone.svg(fmt::format("{} stroke-width=\"{}{}\"", ink, large_dot, opacity));
}

// Lines, clipped to the box.
std::string draw_lines(std::span<const DrawnSeries> drawn, const Box& box) {
    // transparent bands, so that none hides the others
    const double share = std::min(0.3, 0.9 / static_cast<double>(drawn.size()));
    const std::string band_opacity = fmt::format("{:.2g}", share).substr(1);
    std::string guides, lines;
    for (const DrawnSeries& each : drawn)
        (each.series->mark == Mark::guide ? guides : lines) += draw_line(each, band_opacity);
    if (guides.empty() && lines.empty()) return "";
    // a nested svg clips without an id; 2 more pixels keep lines on the edge whole
    return fmt::format(
        "<svg y=\"-2\" width=\"{0}\" height=\"{1}\" viewBox=\"0 -2 {0} {1}\" fill=\"none\" "
        "stroke-linejoin=\"round\" stroke-linecap=\"round\">\n{2}</svg>\n",
        pixels(box.width), pixels(box.height + 4), guides + lines);
}

// Dots inside the box, not clipped: of the series with few, or of the others.
std::string draw_dots(std::span<const DrawnSeries> drawn, bool are_few) {
    std::string svg;
    for (const DrawnSeries& each : drawn) {
        if ((each.series->points() <= few_dots) != are_few) continue;
        Path path;
        for (const Dot& dot : each.dots) path.dot(dot.px, dot.py);
        svg += path.svg(fmt::format("{} stroke-width=\"{}\"", stroked(each.series->color),
                                    are_few ? large_dot : "2.2"));
    }
    return svg.empty() ? "" : "<g fill=\"none\" stroke-linecap=\"round\">\n" + svg + "</g>\n";
}

std::string draw_zones(const Panel& panel, const Frame& frame) {
    std::string svg;
    for (const Zone& zone : panel.zones) {
        const auto [left, width] = frame.clipped(zone.first, zone.last);
        svg += fmt::format("<rect x=\"{}\" width=\"{}\" height=\"{}\" {}/>\n", pixels(left),
                           pixels(width), pixels(frame.height), tinted(zone.tint));
    }
    return svg;
}

void add_vertical(Path& path, double value, const Frame& frame, double top, double bottom) {
    const double x = frame.x(value);
    if (!frame.holds(x, 0)) return;
    path.move_to(x, bottom);
    path.line_to(x, top);
}

void add_horizontal(Path& path, double value, const Frame& frame) {
    const double y = frame.y(value);
    if (!frame.holds(0, y)) return;
    path.move_to(0, y);
    path.line_to(frame.width, y);
}

std::string draw_grid(const Panel& panel, const Frame& frame) {
    Path grid;
    for (const Tick& tick : panel.x.ticks) add_vertical(grid, tick.value, frame, 0, frame.height);
    for (const Tick& tick : panel.y.ticks) add_horizontal(grid, tick.value, frame);
    return grid.svg(stroked(Ink::grid));
}

// Rules at a heatmap are above and below it, as they would hide a column that is a pixel wide.
std::string draw_rules(const Panel& panel, const Frame& frame, std::span<const Flag> flags) {
    constexpr double below = 9;
    Path rules;
    for (std::size_t k = 0; k < panel.rules.size(); ++k) {
        const double x = panel.rules[k].value, height = frame.height;
        add_vertical(rules, x, frame, flags[k].top(), panel.heatmap ? 0 : height);
        if (panel.heatmap) add_vertical(rules, x, frame, height, height + below);
    }
    for (const Tick& level : panel.levels) add_horizontal(rules, level.value, frame);
    return rules.svg(stroked(Ink::rule) + (panel.heatmap ? "" : " stroke-dasharray=\"5 4\""));
}

struct Point {
    double x, y;
};

struct TickPlace {
    Point at, end;  // of its line, which begins on the axis
    Spot label;
};

// Adds lines of ticks, and returns their labels: of every k-th tick, with the smallest k at which
// labels are this far apart.
template <class PlaceOf>
std::string add_ticks(Path& lines, const std::vector<Tick>& ticks, const Frame& frame, double apart,
                      const PlaceOf& place_of) {
    const auto room = [&](std::size_t k) {
        Rect room = room_of(ticks[k].label, tick_font, place_of(ticks[k]).label);
        room.width += apart;
        return room;
    };
    std::size_t stride = 1;
    for (std::size_t k = stride; k < ticks.size(); k += stride)
        if (room(k).overlaps(room(k - stride))) {
            ++stride;
            k = 0;  // again, from the first tick
        }
    std::string labels;
    for (std::size_t k = 0; k < ticks.size(); ++k) {
        const auto [at, end, label] = place_of(ticks[k]);
        if (!frame.holds(at.x, at.y)) continue;
        lines.move_to(at.x, at.y);
        lines.line_to(end.x, end.y);
        if (k % stride == 0)
            labels +=
                text_svg(label.x, label.y, tick_font, Ink::axis, ticks[k].label, label.anchor);
    }
    return labels;
}

std::string draw_axes(const Panel& panel, const Frame& frame, const Box& box) {
    const double h = frame.height;
    Path lines;
    lines.move_to(0, 0);
    lines.line_to(0, h);
    lines.line_to(frame.width, h);
    std::string labels = add_ticks(lines, panel.x.ticks, frame, 7, [&](const Tick& tick) {
        const double x = frame.x(tick.value), half = text_width(tick.label, tick_font) / 2;
        constexpr double beyond = 10;  // of the axis
        const double inside = std::min(x, frame.width + beyond - half);
        return TickPlace{{x, h}, {x, h + 5}, {inside, h + 19, Anchor::middle}};
    });
    labels += add_ticks(lines, panel.y.ticks, frame, 0, [&](const Tick& tick) {
        const double y = frame.y(tick.value);
        return TickPlace{{0, y}, {-5, y}, {-9, y + 4, Anchor::end}};
    });
    return lines.svg("fill=\"none\" " + stroked(Ink::axis)) + labels +
           text_svg(frame.width / 2, h + 41, axis_font, Ink::text,
                    fitted(panel.x.label, frame.width, axis_font), Anchor::middle) +
           text_svg(4 - box.y_axis, h / 2, axis_font, Ink::text,
                    fitted(panel.y.label, frame.height + 30, axis_font), Anchor::middle, true);
}

// The colour scale right of the plot, with a label per power of ten.
std::string draw_scale(const Heatmap& heatmap, const Frame& frame) {
    constexpr double left = 18, width = 14;
    const double x = frame.width + left;
    const long low = std::lround(std::log10(heatmap.low)),
               high = std::lround(std::log10(heatmap.high));
    std::string svg =
        scale_image(x, width, frame.height) + text_svg(x, -14, tick_font, Ink::axis, heatmap.label);
    const auto label = [&](long power, const char* end) {
        const double y =
            frame.height * static_cast<double>(high - power) / static_cast<double>(high - low);
        svg += text_svg(x + width + 5, y + 4, tick_font, Ink::axis, end + power_of_ten(power));
    };
    const long step = (high - low) / 10 + 1;
    for (long power = high - step; power - low >= step; power -= step) label(power, "");
    label(high, "≥ ");
    label(low, "≤ ");
    return svg;
}

std::string draw_panel(const Panel& panel, const Box& box) {
    const Frame frame(panel, box);
    const std::vector<DrawnSeries> drawn = drawn_series(panel, frame);
    const Annotations annotations = annotate(panel, frame, drawn);
    const Head head = head_of(panel, box.width);
    const std::string ground = panel.heatmap
                                   ? heatmap_image(*panel.heatmap, frame.width, frame.height) +
                                         draw_scale(*panel.heatmap, frame)
                                   : draw_grid(panel, frame);
    return fmt::format("<g transform=\"translate({} {})\">\n", pixels(box.left), pixels(box.top)) +
           draw_head(head, -box.head) + draw_zones(panel, frame) + ground +
           draw_rules(panel, frame, head.flags) + draw_lines(drawn, box) +
           draw_axes(panel, frame, box) + draw_dots(drawn, false) + draw_backgrounds(annotations) +
           draw_dots(drawn, true) + draw_annotations(panel, annotations) + "</g>\n";
}

std::string metadata(const Figure& figure) {
    std::string text;
    if (!figure.version.empty()) text += "tool: rope-check " + xml_escape(figure.version) + "\n";
    if (!figure.command.empty()) text += "command: " + xml_escape(figure.command) + "\n";
    for (const auto& [name, value] : figure.parameters) {
        text += xml_escape(name) + ": " + xml_escape(value) + "\n";
    }
    return text.empty() ? "" : "<metadata>\n" + text + "</metadata>\n";
}

std::string words(const Layout& layout) {
    std::string svg;
    double y = 15;
    for (const std::string& line : layout.title)
        svg += text_svg(layout.left, y += figure_title_height, figure_title_font, Ink::title, line);
    y += 4;
    for (const std::string& line : layout.subtitle)
        svg += text_svg(layout.left, y += figure_subtitle_height, figure_subtitle_font, Ink::muted,
                        line);
    y = layout.notes_top - note_height;
    for (const std::string& line : layout.notes)
        svg += text_svg(layout.left, y += note_height, note_font, Ink::muted, line);
    return svg;
}

}  // namespace

std::string to_svg(const Figure& figure) {
    const Layout layout = lay_out(figure);
    const std::string width = pixels(layout.width);
    const std::string height = pixels(layout.height);
    std::string svg = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" font-family=\"'DejaVu Sans',Verdana,Arial,sans-serif\">\n"
        "<title>{2}</title>\n<desc>{3}</desc>\n",
        width, height, xml_escape(figure.title), xml_escape(figure.description));
    svg += metadata(figure) + dark_style();
    svg +=
        fmt::format("<rect width=\"{}\" height=\"{}\" {}/>\n", width, height, filled(Ink::paper));
    svg += words(layout);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) {
        svg += draw_panel(figure.panels[i], layout.boxes[i]);
    }
    return svg + "</svg>\n";
}

}  // namespace rope::plots
