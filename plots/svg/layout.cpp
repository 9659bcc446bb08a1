#include "plots/svg/layout.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "plots/svg/labels.hpp"

namespace rope::plots {
namespace {

constexpr Font title_font{14, Weight::bold}, subtitle_font{12}, legend_font{12}, flag_font{12};
constexpr double title_height = 20, subtitle_height = 17, legend_height = 18;
constexpr double swatch = 24, after_swatch = 7, after_entry = 18;

std::vector<LegendEntry> legend_of(const Panel& panel, double width) {
    std::vector<LegendEntry> entries;
    double used = 0;
    std::size_t row = 0;
    for (const Series& series : panel.series) {
        // arrows are named at the edge
        if (series.mark == Mark::guide || series.label.empty() || series.points() == 0 ||
            series.label == panel.y.above)
            continue;
        const std::string label =
            fitted(with_typeset_numbers(series.label), width - swatch - after_swatch, legend_font);
        const double wide = swatch + after_swatch + text_width(label, legend_font);
        if (used > 0 && used + wide > width) {
            ++row;
            used = 0;
        }
        entries.push_back({&series, label, used, row});
        used += wide + after_entry;
    }
    if (entries.size() < 2) entries.clear();
    return entries;
}

std::string draw_swatch(const LegendEntry& entry, double y) {
    const Series* series = entry.series;
    const std::string ink = "fill=\"none\" " + stroked(series->color);
    Path path;
    if (series->is_dots()) {
        path.dot(entry.left + swatch / 2, y);
        return path.svg(ink + " stroke-width=\"7\" stroke-linecap=\"round\"");
    }
    path.move_to(entry.left, y);
    path.line_to(entry.left + swatch, y);
    return path.svg(fmt::format("{}{} stroke-width=\"2.4\"", ink, dashes(series->color)));
}

// Whether a name is on another one, or on the line of another one.
bool collide(const Flag& a, const Flag& b) {
    constexpr double near = line_gap - 0.1;
    const auto is_cut = [](const Flag& name, const Flag& line) {
        return line.has_line && line.row > name.row && name.left - near < line.x &&
               line.x < name.left + name.width + near;
    };
    constexpr double apart = 8;
    const bool overlap = a.left < b.left + b.width + apart && b.left < a.left + a.width + apart;
    return (a.row == b.row && overlap) || is_cut(a, b) || is_cut(b, a);
}

// Puts names right of their lines; left of them if they would leave the plot, or pass the line
// of a name left of that. Then gives each the lowest row in which nothing is in its way: names left
// of their lines, from the left; names right of them, from the right; names of zones.
void place(std::vector<Flag>& flags, double width) {
    std::vector<Flag*> order;
    for (Flag& flag : flags)
        if (!flag.label.empty()) order.push_back(&flag);
    const auto is_left = [](const Flag* flag) { return flag->left < flag->x; };
    std::ranges::stable_sort(order, [](const Flag* a, const Flag* b) { return a->x > b->x; });
    double limit = width;
    for (Flag* flag : order) {
        if (!flag->has_line) continue;
        flag->left = flag->x + line_gap;
        if (flag->left + flag->width <= limit) continue;
        flag->left = std::max(0.0, flag->x - line_gap - flag->width);
        limit = flag->x;
    }
    std::ranges::stable_sort(order, {}, [&](const Flag* flag) {
        return !flag->has_line ? std::pair(2, 0.0)
               : is_left(flag) ? std::pair(0, flag->x)
                               : std::pair(1, -flag->x);
    });
    for (auto flag = order.begin(); flag != order.end(); ++flag) {
        const auto is_in_the_way = [&](const Flag* other) { return collide(**flag, *other); };
        while ((*flag)->row < order.size() && std::any_of(order.begin(), flag, is_in_the_way))
            ++(*flag)->row;
    }
}

// A zone's name is left out if it is more than three times as wide.
std::vector<Flag> flags_of(const Panel& panel, double width) {
    const Frame frame(panel, {0, 0, width, 0, 0, 0});
    std::vector<Flag> flags;
    for (const Tick& rule : panel.rules) {
        const double x = frame.x(rule.value);
        Flag& flag = flags.emplace_back(Flag{.x = x});
        if (rule.label.empty() || !(x >= 0 && x <= width)) continue;
        flag.label = fitted(rule.label, width, flag_font);
        flag.width = text_width(flag.label, flag_font);
    }
    for (const Zone& zone : panel.zones) {
        const auto [left, wide] = frame.clipped(zone.first, zone.last);
        const double text = text_width(zone.label, flag_font);
        if (zone.label.empty() || text > 3 * wide || text > width) continue;
        const double centered = std::clamp(left + (wide - text) / 2, 0.0, width - text);
        flags.push_back({zone.label, 0, centered, text, 0, false});
    }
    place(flags, width);
    return flags;
}

double head_height(const Head& head) {
    std::size_t rows = 0;
    for (const Flag& flag : head.flags)
        if (!flag.label.empty()) rows = std::max(rows, flag.row + 1);
    return title_height * static_cast<double>(head.title.size()) +
           subtitle_height * static_cast<double>(head.subtitle.size()) +
           legend_height *
               (head.legend.empty() ? 0.0 : static_cast<double>(head.legend.back().row + 1)) +
           Flag::flag_height * static_cast<double>(rows);
}

constexpr double least_y_axis = 60;  // room for the labels of the y axis
constexpr double x_axis = 50;        // room for the labels of the x axis
constexpr double gap = 14;           // between a panel's head and its plot, and between rows
constexpr double column_gap = 30;

bool has_heatmap(const Figure& figure) {
    return std::ranges::any_of(figure.panels,
                               [](const Panel& panel) { return panel.heatmap.has_value(); });
}

// Of a figure of 780 pixels, whose text of 12 px is 6 px high on a screen of 390 px.
double plot_width(const Figure& figure, int columns) {
    return (columns == 1 ? 670 : 290) - (has_heatmap(figure) ? scale_room / columns : 0);
}
// In pixels. Eight rows of panels are less than 2,000 pixels high.
double plot_height(const Figure& figure, int columns) {
    const std::size_t panels = figure.panels.size();
    if (panels > 6) return std::clamp(2160.0 / static_cast<double>(panels) - 60, 60.0, 150.0);
    return has_heatmap(figure) ? 300 : columns == 1 ? 270 : 200;
}

// The gap between columns, with room for the colour scales of heatmaps that are not in the last
// one.
double gap_of(const Figure& figure, std::size_t columns) {
    for (std::size_t i = 0; i < figure.panels.size(); ++i)
        if (figure.panels[i].heatmap && i % columns + 1 < columns) return column_gap + scale_room;
    return column_gap;
}

// The tick labels 9 pixels left of the axis, then the axis label.
double y_axis_room(const Figure& figure) {
    double widest = 0;
    for (const Panel& panel : figure.panels)
        for (const Tick& tick : panel.y.ticks)
            widest = std::max(widest, text_width(tick.label, tick_font));
    return std::max(least_y_axis, widest + 9 + 1.6 * axis_font.size);
}

// Adds an edge unless there is one at this distance on that side.
void add_edge(std::vector<Edge>& edges, double px, double py, double apart, const Frame& frame) {
    if (std::isnan(py) || !frame.holds(px, 0) || frame.holds(px, py)) return;
    const bool is_above = py < 0;
    const auto is_near = [&](const Edge& edge) {
        return edge.is_above == is_above && px - edge.px < apart;
    };
    const std::size_t last = std::min<std::size_t>(edges.size(), 2);
    if (std::any_of(edges.end() - static_cast<std::ptrdiff_t>(last), edges.end(), is_near)) return;
    edges.push_back({px, is_above});
}

}  // namespace

Head head_of(const Panel& panel, double width) {
    return {balanced(with_typeset_numbers(panel.title), width, title_font),
            balanced(panel.subtitle, width, subtitle_font), legend_of(panel, width),
            flags_of(panel, width)};
}

std::string draw_head(const Head& head, double top) {
    std::string svg;
    double y = top;
    for (const std::string& line : head.title)
        svg += text_svg(0, (y += title_height) - 4, title_font, Ink::title, line);
    for (const std::string& line : head.subtitle)
        svg += text_svg(0, (y += subtitle_height) - 3, subtitle_font, Ink::muted, line);
    for (const LegendEntry& entry : head.legend) {
        const double bottom = y + legend_height * static_cast<double>(entry.row + 1);
        svg += draw_swatch(entry, bottom - 7) + text_svg(entry.left + swatch + after_swatch,
                                                         bottom - 3, legend_font, Ink::text,
                                                         entry.label);
    }
    for (const Flag& flag : head.flags)
        if (!flag.label.empty())
            svg += text_svg(flag.left, flag.baseline(), flag_font, Ink::title, flag.label);
    return svg;
}

Layout lay_out(const Figure& figure) {
    // three in a row would be unreadable on a phone
    const int columns = figure.columns > 1 || figure.panels.size() > 3 ? 2 : 1;
    const double width = plot_width(figure, columns), height = plot_height(figure, columns);
    const double y_axis = y_axis_room(figure);
    Layout layout;
    layout.left = margin + y_axis;
    const double between = gap_of(figure, static_cast<std::size_t>(columns)) + y_axis;
    const double across = columns * width + (columns - 1) * between;
    layout.width = layout.left + across + margin + (has_heatmap(figure) ? scale_room : 0);
    layout.title = balanced(with_typeset_numbers(figure.title), across, figure_title_font);
    layout.subtitle = wrapped(figure.subtitle, across, figure_subtitle_font);
    for (const std::string& note : figure.notes)
        for (const std::string& line : wrapped(note, across, note_font, unlimited))
            layout.notes.push_back(line);
    double top = gap + figure_title_height * static_cast<double>(layout.title.size()) +
                 figure_subtitle_height * static_cast<double>(layout.subtitle.size()) + 18;
    const auto panels = figure.panels.size();
    const auto per_row = static_cast<std::size_t>(columns);
    for (std::size_t row = 0; row < panels; row += per_row) {
        const std::size_t end = std::min(panels, row + per_row);
        double head = 0;
        for (std::size_t i = row; i < end; ++i)
            head = std::max(head, gap + head_height(head_of(figure.panels[i], width)));
        for (std::size_t i = row; i < end; ++i) {
            const double left = layout.left + static_cast<double>(i - row) * (width + between);
            layout.boxes.push_back({left, top + head, width, height, head, y_axis});
        }
        top += head + height + x_axis + gap;
    }
    layout.notes_top = top + gap;
    layout.height = top + gap + note_height * static_cast<double>(layout.notes.size());
    return layout;
}

std::string edge_words(const Panel& panel, const Series& series, bool is_above) {
    const std::string& what = is_above ? panel.y.above : panel.y.below;
    const auto named = std::ranges::count_if(
        panel.series, [](const Series& one) { return one.mark != Mark::guide; });
    return series.label.empty() || series.label == what || named < 2 ? what
                                                                     : series.label + ": " + what;
}

DrawnSeries drawn_one(const Series& series, const Frame& frame) {
    const bool is_dots = series.is_dots(), is_guide = series.mark == Mark::guide;
    const bool is_few = series.points() <= few_dots;
    const double apart = is_few ? 0 : 1;
    DrawnSeries drawn{&series};
    ColumnReduction columns =
        is_guide || series.mark == Mark::path ? ColumnReduction() : ColumnReduction(frame.width);
    double last_x = -1e9, last_y = -1e9;
    for (PointReader at(series); !at.ended(); at.advance()) {
        const double px = frame.x(at.x()), py = frame.y(at.y());
        if (!is_guide) add_edge(drawn.edges, px, py, is_few ? 1 : arrow_step, frame);
        if (!is_dots) columns.add(px, py, at.x());
        if (!is_dots || !frame.holds(px, py)) continue;
        if (std::abs(px - last_x) < apart && std::abs(py - last_y) < apart) continue;
        drawn.dots.push_back({at.x(), at.y(), px, py});
        last_x = px;
        last_y = py;
    }
    drawn.runs = std::move(columns).finish();
    return drawn;
}

std::vector<DrawnSeries> drawn_series(const Panel& panel, const Frame& frame) {
    return mapped<DrawnSeries>(panel.series,
                               [&](const Series& series) { return drawn_one(series, frame); });
}

}  // namespace rope::plots
