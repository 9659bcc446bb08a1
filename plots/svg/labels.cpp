#include "plots/svg/labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/xml.hpp"
#include "plots/svg/ink.hpp"

namespace rope::plots {
namespace {

constexpr double a_box = 1000;  // no label covers another while there is any other spot
constexpr double a_line = 3, a_column = 4, a_crossing = 1;  // of a curve

}  // namespace

std::string_view to_string(Anchor anchor) {
    return anchor == Anchor::start ? "start" : anchor == Anchor::middle ? "middle" : "end";
}

Point nearest_point(const Rect& room, const Point& point) {
    return {std::clamp(point.x, room.left, room.right()),
            std::clamp(point.y, room.top, room.bottom())};
}

Rect room_of(std::string_view text, Font font, const Spot& spot) {
    const double width = text_width(text, font);
    const double before = spot.anchor == Anchor::start    ? 0
                          : spot.anchor == Anchor::middle ? width / 2
                                                          : width;
    return {spot.x - before, spot.y - 0.8 * font.size, width, 1.05 * font.size};
}

Ground::Ground(double width, double height)
    : width_(width), height_(height), ink_(static_cast<std::size_t>(std::ceil(width)) + 1) {}

void Ground::add_segment(const Column& from, const Column& to) {
    const auto column_at = [this](double x) {
        return static_cast<std::size_t>(std::clamp(std::floor(x), 0.0, width_));
    };
    const double wide = std::max(to.x - from.x, 1e-9);
    for (std::size_t column = column_at(from.x); column <= column_at(to.x); ++column) {
        const auto x = static_cast<double>(column);
        const double a = std::clamp((x - from.x) / wide, 0.0, 1.0);
        const double b = std::clamp((x + 1 - from.x) / wide, 0.0, 1.0);
        const auto between = [&](double share, double Column::* y) {
            return from.*y + share * (to.*y - from.*y);
        };
        ink_[column].push_back({std::min(between(a, &Column::low), between(b, &Column::low)),
                                std::max(between(a, &Column::high), between(b, &Column::high))});
    }
}

// Of y downward: a column's low is its greater pixel.
void Ground::add(const DrawnSeries& drawn) {
    for (const Run& run : drawn.runs) {
        for (std::size_t i = 0; i < run.size(); ++i) {
            Column from = run[i], to = run[std::min(i + 1, run.size() - 1)];
            for (Column* column : {&from, &to})
                if (column->low > column->high) std::swap(column->low, column->high);
            add_segment(from, to);
        }
    }
    constexpr double radius = 3;
    for (const Dot& dot : drawn.dots) {
        const Column at{dot.px, dot.py - radius, dot.py, dot.py + radius, 1, dot.x, dot.x};
        Column left = at, right = at;
        left.x -= radius;
        right.x += radius;
        add_segment(left, right);
    }
}

double Ground::covered(const Rect& room) const {
    double cost = 0;
    for (const Rect& box : boxes_) cost += room.overlaps(box) ? a_box : 0;
    const auto crosses = [](double at, double from, double to) { return at > from && at < to; };
    for (const double x : verticals_) cost += crosses(x, room.left, room.right()) ? a_line : 0;
    for (const double y : horizontals_) cost += crosses(y, room.top, room.bottom()) ? a_line : 0;
    const auto first = static_cast<std::size_t>(std::clamp(std::floor(room.left), 0.0, width_));
    const auto last = static_cast<std::size_t>(std::clamp(std::floor(room.right()), 0.0, width_));
    for (std::size_t x = first; x <= last; ++x)
        if (std::ranges::any_of(ink_[x], [&](const Interval& ink) {
                return ink.high >= room.top && ink.low <= room.bottom();
            }))
            cost += a_column;
    return cost;
}

double Ground::crossed(const Point& from, const Point& to) const {
    constexpr double step = 3;
    const double length =
        std::sqrt((to.x - from.x) * (to.x - from.x) + (to.y - from.y) * (to.y - from.y));
    double cost = 0;
    for (double way = ring_radius + step; length >= least_leader && way < length; way += step) {
        const double x = from.x + (to.x - from.x) * way / length;
        const double y = from.y + (to.y - from.y) * way / length;
        const auto column = static_cast<std::size_t>(std::clamp(std::floor(x), 0.0, width_));
        if (std::ranges::any_of(ink_[column], [&](const Interval& ink) {
                return ink.high >= y - 1 && ink.low <= y + 1;
            }))
            cost += a_crossing;
    }
    return cost;
}

bool Ground::holds(const Rect& room) const {
    return room.left >= 0 && room.top >= 0 && room.right() <= width_ && room.bottom() <= height_;
}

PlacedLabel Ground::best(const Label& label) const {
    PlacedLabel found{label, {}, {}};
    double least = std::numeric_limits<double>::infinity();
    for (const Spot& spot : label.spots) {
        const Rect room = room_of(label.text, label.font, spot);
        double cost = holds(room) ? spot.cost + covered(room) : 1e9;
        if (label.of) cost += crossed(*label.of, nearest_point(room, *label.of));
        if (!(cost < least)) continue;
        least = cost;
        found.spot = spot;
        found.room = room;
    }
    const double right = std::max(0.0, width_ - found.room.width);
    const double down = std::max(0.0, height_ - found.room.height);
    const double x = std::clamp(found.room.left, 0.0, right) - found.room.left;
    const double y = std::clamp(found.room.top, 0.0, down) - found.room.top;
    found.spot.x += x;
    found.spot.y += y;
    found.room.left += x;
    found.room.top += y;
    return found;
}

std::vector<PlacedLabel> Ground::place(std::span<const Label> labels) {
    std::vector<PlacedLabel> placed;
    for (const Label& label : labels) {
        if (label.text.empty() || label.spots.empty()) continue;
        PlacedLabel one = best(label);
        if (label.optional && covered(one.room) >= a_box) continue;
        add_box({one.room.left - 2, one.room.top - 1, one.room.width + 4, one.room.height + 2});
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
    return anchor == Anchor::start ? "" : fmt::format(" text-anchor=\"{}\"", to_string(anchor));
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
