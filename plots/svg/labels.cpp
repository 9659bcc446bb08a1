#include "plots/svg/labels.hpp"

#include <fmt/format.h>

#include <iterator>

#include "base/printable.hpp"

namespace rope::plots {
namespace {

// The costs of covering. A label covers another only if it has no other spot; a dashed line through
// a label looks like a line that the label names.
constexpr double a_box = 1e6;
constexpr double a_level = 300, a_rule = 60;  // dashed lines, horizontal and vertical
constexpr double a_column = 4, a_band = 1;    // of a curve and of its band, per pixel column
constexpr double confused = 1000;             // next to the ring of another label
constexpr double off_the_axis = 3;            // pixels from the y axis, which a label would hide

Label labelled(const std::string& text, const Frame& frame, std::vector<Spot> spots) {
    return {fitted(text, frame.width - 4, label_font), std::move(spots), {}};
}

// Spots above or below a horizontal line, from the left.
std::vector<Spot> along(double y, const Frame& frame) {
    std::vector<Spot> spots;
    for (int k = 0; 8 + 24 * k < frame.width; ++k) {
        const double x = 8 + 24 * k;
        const double further = x / 1000;
        spots.push_back({x, y - 6, Anchor::start, further});
        spots.push_back({x, y + 15, Anchor::start, further + 0.5});
    }
    spots.push_back({frame.width - 8, y - 6, Anchor::end, 1});
    spots.push_back({frame.width - 8, y + 15, Anchor::end, 1.5});
    return spots;
}

// Spots around a ring, nearest first.
std::vector<Spot> around(double x, double y) {
    std::vector<Spot> spots;
    for (const double far : {0., 8., 16., 24.}) {
        const double out = 9 + far, cost = 3 * far;
        for (const double aside : {out, 9.})
            for (const double down : {-4 - far, 13 + far, 4.5}) {
                spots.push_back({x - aside, y + down, Anchor::end, cost});
                spots.push_back({x + aside, y + down, Anchor::start, cost});
            }
        spots.push_back({x, y - 11 - far, Anchor::middle, cost + 0.5});
        spots.push_back({x, y + 19 + far, Anchor::middle, cost + 0.5});
    }
    return spots;
}

// The markers in the frame, in pixels; markers with overlapping rings share a tag.
std::vector<Marker> placed_markers(const Panel& panel, const Frame& frame) {
    std::vector<Marker> placed;
    for (const Marker& marker : panel.markers) {
        const double x = frame.x(marker.x), y = frame.y(marker.y);
        if (!frame.holds(x, y)) continue;
        const auto same = std::ranges::find_if(placed, [&](const Marker& other) {
            return std::hypot(other.x - x, other.y - y) < ring_radius;
        });
        if (same == placed.end())
            placed.push_back({x, y, marker.tag});
        else if (same->tag != marker.tag)
            same->tag += (same->tag.empty() ? "" : ", ") + marker.tag;
    }
    return placed;
}

// Each series has a separate row of arrows.
std::vector<Arrows> arrows_of(const Frame& frame, std::span<const DrawnSeries> drawn) {
    std::vector<Arrows> all;
    for (const bool are_above : {true, false}) {
        const double way = are_above ? 1 : -1;
        double tip = are_above ? 1 : frame.height - 1;
        for (const DrawnSeries& each : drawn) {
            Arrows arrows{each.series, are_above, tip, tip + way * arrow, {}};
            for (const Edge& edge : each.edges)
                if (edge.is_above == are_above) arrows.px.push_back(edge.px);
            if (arrows.px.empty()) continue;
            tip += way * arrow_step;
            all.push_back(std::move(arrows));
        }
    }
    return all;
}

// A name for the arrows at each edge, next to one of the nearest; with that of the series if they
// are of one.
void add_edge_labels(std::vector<Label>& labels, const Panel& panel, const Frame& frame,
                     std::span<const Arrows> arrows) {
    for (const bool are_above : {true, false}) {
        const auto first = std::ranges::find(arrows, are_above, &Arrows::are_above);
        if (first == arrows.end()) continue;
        const bool are_of_one = std::ranges::count(arrows, are_above, &Arrows::are_above) == 1;
        std::vector<Spot> spots;
        for (const double px : first->px) {
            const double level = are_above ? first->end + 3 : first->tip - 3;
            const double further = 0.1 * static_cast<double>(spots.size());
            spots.push_back({px + 8, level, Anchor::start, further});
            spots.push_back({px - 8, level, Anchor::end, further});
            for (const double down : {13., 28., 43., 58., 73.}) {
                const double y = first->end + (are_above ? down : 9 - down);
                const double cost = further + down * down / 50;
                spots.push_back({px - 4, y, Anchor::start, cost});
                spots.push_back({px + 4, y, Anchor::end, cost});
                spots.push_back({px, y, Anchor::middle, cost + 0.1});
            }
        }
        const std::string& what = are_above ? panel.y.above : panel.y.below;
        labels.push_back(labelled(are_of_one ? edge_words(panel, *first->series, are_above) : what,
                                  frame, std::move(spots)));
    }
}

std::string draw_arrows(std::span<const Arrows> arrows) {
    std::string svg;
    for (const Arrows& each : arrows) {
        Path path;
        for (const double px : each.px) {
            path.move_to(px, each.tip);
            path.line_to(px - arrow / 2, each.end);
            path.line_to(px + arrow / 2, each.end);
            path.close();
        }
        svg += path.svg(filled(each.series->color));
    }
    return svg;
}

}  // namespace

Rect room_of(std::string_view text, Font font, const Spot& spot) {
    const double width = text_width(text, font);
    const double before = static_cast<double>(spot.anchor) / 2 * width;
    return {spot.x - before, spot.y - 0.8 * font.size, width, 1.05 * font.size};
}

std::size_t Ground::column_of(double x) const {
    return static_cast<std::size_t>(std::clamp(std::floor(x), 0.0, width_));
}

double Ground::ink_cost(std::size_t column, double top, double bottom) const {
    double cost = 0;
    for (const Interval& ink : ink_[column])
        if (ink.high >= top && ink.low <= bottom) cost = std::max(cost, ink.cost);
    return cost;
}

void Ground::add_segment(const Column& from, const Column& to, double cost) {
    const double wide = std::max(to.x - from.x, 1e-9);
    for (std::size_t column = column_of(from.x); column <= column_of(to.x); ++column) {
        const auto x = static_cast<double>(column);
        const double a = std::clamp((x - from.x) / wide, 0.0, 1.0);
        const double b = std::clamp((x + 1 - from.x) / wide, 0.0, 1.0);
        const auto between = [&](double share, double Column::* y) {
            return from.*y + share * (to.*y - from.*y);
        };
        ink_[column].push_back({std::min(between(a, &Column::low), between(b, &Column::low)),
                                std::max(between(a, &Column::high), between(b, &Column::high)),
                                cost});
    }
}

void Ground::add(const DrawnSeries& drawn) {
    // a label is readable over a faint guide
    const double of_line = drawn.series->mark == Mark::guide ? a_band : a_column;
    for (const Run& run : drawn.runs) {
        for (std::size_t i = 0; i < run.size(); ++i) {
            Column from = run[i], to = run[std::min(i + 1, run.size() - 1)];
            const bool has_line = drawn.series->mark != Mark::band;
            add_segment(from, to, has_line ? a_band : a_column);
            for (Column* column : {&from, &to}) column->low = column->high = column->mean;
            if (has_line) add_segment(from, to, of_line);
        }
    }
    constexpr double radius = 3;
    for (const Dot& dot : drawn.dots) {
        const Column at{dot.px, dot.py - radius, dot.py, dot.py + radius, 1, dot.x, dot.x};
        Column left = at, right = at;
        left.x -= radius;
        right.x += radius;
        add_segment(left, right, a_column);
    }
}

double Ground::covered(const Rect& room, double above_lines) const {
    double cost = 0;
    for (const Rect& box : boxes_) cost += room.overlaps(box) ? a_box : 0;
    for (const double x : verticals_)
        if (x > room.left - line_gap && x < room.right() + line_gap) cost += a_rule;
    for (const double y : horizontals_)
        if (y > room.top - 2 && y < room.bottom() + above_lines) cost += a_level;
    for (std::size_t x = column_of(room.left); x <= column_of(room.right()); ++x)
        cost += ink_cost(x, room.top, room.bottom());
    return cost;
}

// A spot outside the frame is moved into it.
PlacedLabel Ground::best(const Label& label, double above_lines) const {
    PlacedLabel found{label.text, {}, {}};
    double least = std::numeric_limits<double>::infinity();
    for (Spot spot : label.spots) {
        Rect room = room_of(label.text, label_font, spot);
        const double right = std::max(off_the_axis, width_ - room.width);
        const double down = std::max(0.0, height_ - room.height);
        const double x = std::clamp(room.left, off_the_axis, right) - room.left;
        const double y = std::clamp(room.top, 0.0, down) - room.top;
        spot.x += x;
        spot.y += y;
        room.left += x;
        room.top += y;
        double cost = spot.cost + std::abs(x) + std::abs(y) + covered(room, above_lines);
        const auto is_nearer = [&](const Marker& ring) {
            return label.ring && room.distance(ring) < room.distance(*label.ring);
        };
        if (std::ranges::any_of(rings_, is_nearer)) cost += confused;
        if (!(cost < least)) continue;
        least = cost;
        found = {label.text, spot, room};
    }
    return found;
}

std::vector<PlacedLabel> Ground::place(std::span<const Label> labels, double above_lines) {
    std::vector<PlacedLabel> placed;
    for (const Label& label : labels) {
        if (label.text.empty() || label.spots.empty()) continue;
        PlacedLabel one = best(label, above_lines);
        add_box({one.room.left - 2, one.room.top - 1, one.room.width + 4, one.room.height + 2});
        placed.push_back(std::move(one));
    }
    return placed;
}

std::string text_svg(double x, double y, Font font, Ink ink, std::string_view words, Anchor anchor,
                     bool is_upward) {
    constexpr std::string_view anchors[] = {"", " text-anchor=\"middle\"", " text-anchor=\"end\""};
    const std::string place =
        is_upward ? fmt::format("transform=\"translate({} {}) rotate(-90)\"", pixels(x), pixels(y))
                  : fmt::format("x=\"{}\" y=\"{}\"", pixels(x), pixels(y));
    return fmt::format("<text {}{} font-size=\"{}\"{} {}>{}</text>\n", place,
                       anchors[static_cast<std::size_t>(anchor)], pixels(font.size),
                       font.weight == Weight::bold ? " font-weight=\"bold\"" : "", filled(ink),
                       xml_escape(words));
}

Annotations annotate(const Panel& panel, const Frame& frame, std::span<const DrawnSeries> drawn) {
    Ground ground(frame.width, frame.height);
    for (const DrawnSeries& each : drawn) ground.add(each);
    for (const Tick& rule : panel.rules) ground.add_vertical(frame.x(rule.value));
    for (const Tick& level : panel.levels) ground.add_horizontal(frame.y(level.value));
    Annotations all{placed_markers(panel, frame), arrows_of(frame, drawn), {}};
    for (const Marker& marker : all.markers) ground.add_ring(marker);
    for (const Arrows& each : all.arrows)
        for (const double px : each.px)
            ground.add_box({px - arrow / 2, std::min(each.tip, each.end), arrow, arrow});
    std::vector<Label> of_points, of_lines;
    add_edge_labels(of_points, panel, frame, all.arrows);
    for (const Marker& marker : all.markers) {
        of_points.push_back(labelled(marker.tag, frame, around(marker.x, marker.y)));
        of_points.back().ring = marker;
    }
    for (const Tick& level : panel.levels) {
        const double y = frame.y(level.value);
        if (frame.holds(0, y)) of_lines.push_back(labelled(level.label, frame, along(y, frame)));
    }
    constexpr double above_lines = 7;
    all.labels = ground.place(of_points, above_lines);
    std::ranges::move(ground.place(of_lines), std::back_inserter(all.labels));
    return all;
}

std::string draw_backgrounds(const Annotations& all) {
    std::string svg;
    for (const PlacedLabel& placed : all.labels) {
        const auto& [left, top, width, height] = placed.room;
        svg += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\".82\" {}/>\n",
            pixels(left - 2), pixels(top), pixels(width + 4), pixels(height), filled(Ink::paper));
    }
    return svg;
}

std::string draw_annotations(const Panel& panel, const Annotations& all) {
    std::string svg, rings, words;
    for (const auto& [text, spot, room] : all.labels)
        words += text_svg(spot.x, spot.y, label_font, Ink::title, text, spot.anchor);
    for (const Marker& marker : all.markers)
        rings += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", pixels(marker.x),
                             pixels(marker.y), pixels(ring_radius));
    const auto draw = [&](const char* width, Ink ink) {
        if (!rings.empty())
            svg += fmt::format("<g fill=\"none\" stroke-width=\"{}\" {}>\n{}</g>\n", width,
                               stroked(ink), rings);
    };
    if (panel.heatmap) draw("4", Ink::paper);
    draw("1.5", Ink::title);
    return svg + draw_arrows(all.arrows) + words;
}

}  // namespace rope::plots
