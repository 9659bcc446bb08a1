#include "plots/svg/annotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plots/svg/ink.hpp"
#include "plots/svg/labels.hpp"

namespace rope::plots {
namespace {

constexpr Font tag_font{12}, zone_font{10};

Label labelled(const std::string& text, Font font, const Frame& frame) {
    const std::vector<std::string> lines = wrapped(text, frame.width - 4, font, 1);
    return {.text = lines.empty() ? "" : lines.front(), .font = font};
}

// Beside the line from the top down, right of it first.
std::vector<Spot> beside(double x, const Frame& frame) {
    std::vector<Spot> spots;
    for (int k = 0; 13 + 15 * k < frame.height - 4; ++k) {
        const double y = 13 + 15 * k;
        const double further = y / 100;
        spots.push_back({x + 6, y, Anchor::start, further});
        spots.push_back({x - 6, y, Anchor::end, further + 0.5});
    }
    return spots;
}

// Above or below the line, from the left on.
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

// Around the ring, then further out.
std::vector<Spot> around(double x, double y) {
    std::vector<Spot> spots;
    for (const double far : {0., 14., 30., 50., 75., 105., 140.}) {
        const double out = 9 + far, cost = far == 0 ? 0 : 4 + far / 10;
        for (const double aside : {out, 9.})
            for (const double down : {-4 - far, 13 + far}) {
                spots.push_back({x - aside, y + down, Anchor::end, cost});
                spots.push_back({x + aside, y + down, Anchor::start, cost});
            }
        spots.push_back({x, y - 11 - far, Anchor::middle, cost + 0.5});
        spots.push_back({x, y + 19 + far, Anchor::middle, cost + 0.5});
    }
    return spots;
}

struct Stretch {
    double left, width;
};

Stretch stretch_of(const Zone& zone, const Frame& frame) {
    const double left = std::clamp(frame.x(zone.first), 0.0, frame.width);
    return {left, std::clamp(frame.x(zone.last), 0.0, frame.width) - left};
}

std::vector<Label> marker_labels(const Panel& panel, const Frame& frame) {
    std::vector<Label> labels;
    for (const Marker& marker : panel.markers) {
        const double x = frame.x(marker.x), y = frame.y(marker.y);
        if (!frame.holds(x, y)) continue;
        labels.push_back(labelled(marker.tag, tag_font, frame));
        labels.back().spots = around(x, y);
        labels.back().of = Point{x, y};
    }
    return labels;
}

std::vector<Label> line_labels(const Panel& panel, const Frame& frame) {
    std::vector<Label> labels;
    for (const Rule& rule : panel.rules) {
        if (!frame.holds(frame.x(rule.x), 0)) continue;
        labels.push_back(labelled(rule.label, tag_font, frame));
        labels.back().spots = beside(frame.x(rule.x), frame);
    }
    for (const Level& level : panel.levels) {
        if (!frame.holds(0, frame.y(level.y))) continue;
        labels.push_back(labelled(level.label, tag_font, frame));
        labels.back().spots = along(frame.y(level.y), frame);
    }
    return labels;
}

std::vector<Label> zone_labels(const Panel& panel, const Frame& frame) {
    std::vector<Label> labels;
    for (const Zone& zone : panel.zones) {
        const auto [left, width] = stretch_of(zone, frame);
        if (text_width(zone.label, zone_font) > width - 4) continue;
        Label& label = labels.emplace_back(labelled(zone.label, zone_font, frame));
        for (const double y : {frame.height - 7, 14.0})
            label.spots.push_back({left + width / 2, y, Anchor::middle, y < 15 ? 1.0 : 0.0});
        label.optional = true;
        label.tint = zone.tint;
    }
    return labels;
}

// From the ring's edge to the label's nearest point.
void add_leader(Path& leaders, const PlacedLabel& placed) {
    if (!placed.label.of) return;
    const auto [x, y] = *placed.label.of;
    const auto [to_x, to_y] = nearest_point(placed.room, *placed.label.of);
    const double length = std::sqrt((to_x - x) * (to_x - x) + (to_y - y) * (to_y - y));
    if (length < least_leader) return;
    leaders.move_to(x + (to_x - x) * ring_radius / length, y + (to_y - y) * ring_radius / length);
    leaders.line_to(to_x, to_y);
}

}  // namespace

std::vector<PlacedLabel> place_labels(const Panel& panel, const Frame& frame,
                                      std::span<const DrawnSeries> drawn) {
    Ground ground(frame.width, frame.height);
    for (const DrawnSeries& each : drawn) ground.add(each);
    for (const Rule& rule : panel.rules) ground.add_vertical(frame.x(rule.x));
    for (const Level& level : panel.levels) ground.add_horizontal(frame.y(level.y));
    for (const Marker& marker : panel.markers) {
        const double x = frame.x(marker.x), y = frame.y(marker.y);
        if (frame.holds(x, y)) ground.add_box({x - 7, y - 7, 14, 14});
    }
    std::vector<PlacedLabel> all = ground.place(marker_labels(panel, frame));
    for (const auto& labels : {line_labels(panel, frame), zone_labels(panel, frame)}) {
        const std::vector<PlacedLabel> more = ground.place(labels);
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

std::string draw_annotations(const Panel& panel, const Frame& frame,
                             std::span<const DrawnSeries> drawn) {
    std::string svg, rings, words;
    Path leaders;
    for (const PlacedLabel& placed : place_labels(panel, frame, drawn)) {
        const auto& [left, top, width, height] = placed.room;
        // what it covers after all shows through no letter
        svg += fmt::format(
            "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill-opacity=\".82\" {}/>\n",
            pixels(left - 2), pixels(top), pixels(width + 4), pixels(height),
            tinted(placed.label.tint));
        words += text_svg(placed.spot.x, placed.spot.y, placed.label.font, Ink::title,
                          placed.label.text, placed.spot.anchor);
        add_leader(leaders, placed);
    }
    for (const Marker& marker : panel.markers) {
        const double x = frame.x(marker.x), y = frame.y(marker.y);
        if (!frame.holds(x, y)) continue;
        rings += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", pixels(x), pixels(y),
                             pixels(ring_radius));
    }
    if (!leaders.empty())
        svg +=
            fmt::format("<path fill=\"none\" {} d=\"{}\"/>\n", stroked(Ink::rule), leaders.data());
    if (!rings.empty() && panel.heatmap)
        svg += fmt::format("<g fill=\"none\" stroke-width=\"4\" {}>\n{}</g>\n", stroked(Ink::paper),
                           rings);
    if (!rings.empty())
        svg += fmt::format("<g fill=\"none\" stroke-width=\"1.5\" {}>\n{}</g>\n",
                           stroked(Ink::title), rings);
    return svg + words;
}

}  // namespace rope::plots
