#include "plots/svg/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "base/xml.hpp"
#include "plots/svg/ink.hpp"

namespace rope::plots {
namespace {

// The costs of covering. A label covers another only if it has no other spot; its leader crosses a
// curve, label or leader only if it has no other spot; a dashed line through a label looks like a
// line that the label names.
constexpr double a_box = 1e6, a_crossing = 1e4;
constexpr double a_level = 300, a_rule = 60;  // dashed lines, horizontal and vertical
constexpr double a_column = 4, a_band = 1;    // of a curve and of its band, per pixel column
constexpr double off_the_axis = 3;            // pixels from the y axis, which a label would hide

double distance(const Point& a, const Point& b) {
    return std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

}  // namespace

std::optional<Leader> leader_of(const Label& label, const Rect& room) {
    if (!label.of) return std::nullopt;
    const auto [x, y] = *label.of;
    const Point to{std::clamp(x, room.left, room.right()), std::clamp(y, room.top, room.bottom())};
    const double length = distance(*label.of, to);
    if (length < least_leader) return std::nullopt;
    const double share = ring_radius / length;
    return Leader{{x + share * (to.x - x), y + share * (to.y - y)}, to};
}

Rect room_of(std::string_view text, Font font, const Spot& spot) {
    const double width = text_width(text, font);
    const double before = static_cast<double>(spot.anchor) / 2 * width;
    return {spot.x - before, spot.y - 0.8 * font.size, width, 1.05 * font.size};
}

Ground::Ground(double width, double height)
    : width_(width), height_(height), ink_(static_cast<std::size_t>(std::ceil(width)) + 1) {}

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

void Ground::add_line(Point from, Point to) {
    if (from.x > to.x) std::swap(from, to);
    add_segment({from.x, from.y, from.y, from.y, 1, 0, 0}, {to.x, to.y, to.y, to.y, 1, 0, 0},
                a_column);
}

// In pixels y points down, so a column's low has the larger pixel.
void Ground::add(const DrawnSeries& drawn) {
    // a label is readable over a faint guide
    const double of_line = drawn.series->mark == Mark::guide ? a_band : a_column;
    for (const Run& run : drawn.runs) {
        for (std::size_t i = 0; i < run.size(); ++i) {
            Column from = run[i], to = run[std::min(i + 1, run.size() - 1)];
            for (Column* column : {&from, &to})
                if (column->low > column->high) std::swap(column->low, column->high);
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
    constexpr double beside = 4;
    for (const double x : verticals_)
        if (x > room.left - beside && x < room.right() + beside) cost += a_rule;
    for (const double y : horizontals_)
        if (y > room.top - 2 && y < room.bottom() + above_lines) cost += a_level;
    for (std::size_t x = column_of(room.left); x <= column_of(room.right()); ++x)
        cost += ink_cost(x, room.top, room.bottom());
    return cost;
}

double Ground::crossed(const Leader& leader) const {
    constexpr double step = 0.5, off_the_ring = 4;
    const auto [from, to] = leader;
    const double length = distance(from, to);
    const auto is_inside = [](const Rect& box, double x, double y) {
        return x > box.left && x < box.right() && y > box.top && y < box.bottom();
    };
    double cost = 0;
    for (double way = off_the_ring; way < length; way += step) {
        const double x = from.x + (to.x - from.x) * way / length;
        const double y = from.y + (to.y - from.y) * way / length;
        const bool meets_box = std::ranges::any_of(boxes_, [&](const Rect& box) {
            return is_inside(box, x, y) && !is_inside(box, from.x, from.y);
        });
        if (meets_box || ink_cost(column_of(x), y - 1.5, y + 1.5) > 0) cost += a_crossing;
    }
    return cost;
}

// A spot outside the frame is moved into it.
PlacedLabel Ground::best(const Label& label, double above_lines) const {
    PlacedLabel found{label, {}, {}};
    double least = std::numeric_limits<double>::infinity();
    for (Spot spot : label.spots) {
        Rect room = room_of(label.text, label.font, spot);
        const double right = std::max(off_the_axis, width_ - room.width);
        const double down = std::max(0.0, height_ - room.height);
        const double x = std::clamp(room.left, off_the_axis, right) - room.left;
        const double y = std::clamp(room.top, 0.0, down) - room.top;
        spot.x += x;
        spot.y += y;
        room.left += x;
        room.top += y;
        double cost = spot.cost + std::abs(x) + std::abs(y) + covered(room, above_lines);
        if (const auto leader = leader_of(label, room)) cost += crossed(*leader);
        if (!(cost < least)) continue;
        least = cost;
        found.spot = spot;
        found.room = room;
    }
    return found;
}

std::vector<PlacedLabel> Ground::place(std::span<const Label> labels, double above_lines) {
    std::vector<PlacedLabel> placed;
    for (const Label& label : labels) {
        if (label.text.empty() || label.spots.empty()) continue;
        PlacedLabel one = best(label, above_lines);
        if (label.optional && covered(one.room, above_lines) >= a_box) continue;
        add_box({one.room.left - 2, one.room.top - 1, one.room.width + 4, one.room.height + 2});
        if (const auto leader = leader_of(label, one.room)) add_line(leader->from, leader->to);
        placed.push_back(std::move(one));
    }
    return placed;
}

namespace {

std::string attributes(Font font, Ink ink) {
    return fmt::format(" font-size=\"{}\"{} {}", pixels(font.size),
                       font.weight == Weight::bold ? " font-weight=\"bold\"" : "", filled(ink));
}

std::string anchored(Anchor anchor) {
    return anchor == Anchor::start    ? ""
           : anchor == Anchor::middle ? " text-anchor=\"middle\""
                                      : " text-anchor=\"end\"";
}

}  // namespace

std::string text_svg(double x, double y, Font font, Ink ink, std::string_view words,
                     Anchor anchor) {
    return fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", pixels(x), pixels(y),
                       anchored(anchor), attributes(font, ink), xml_escape(words));
}

std::string upward_text_svg(double x, double y, Font font, Ink ink, std::string_view words) {
    return fmt::format("<text transform=\"translate({} {}) rotate(-90)\"{}{}>{}</text>\n",
                       pixels(x), pixels(y), anchored(Anchor::middle), attributes(font, ink),
                       xml_escape(words));
}

}  // namespace rope::plots
