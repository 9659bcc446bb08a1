// Labels and rings in a plot area: names of rules, levels, zones, markers and arrows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "plots/svg/ink.hpp"
#include "plots/svg/labels.hpp"

namespace rope::plots {
namespace {

constexpr Font tag_font{12}, zone_font{10};

Label labelled(const std::string& text, const Frame& frame, std::vector<Spot> spots) {
    return {fitted(text, frame.width - 4, tag_font), tag_font, std::move(spots)};
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
    for (const double far : {0., 14., 30., 50., 75., 105., 140.}) {
        const double out = 9 + far, cost = far == 0 ? 0 : 4 + far / 4;
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

// A tag near another ring would seem to be that one's.
void avoid_other_rings(Label& label, const std::vector<Marker>& markers) {
    constexpr double confused = 150;
    for (Spot& spot : label.spots) {
        const Rect room = room_of(label.text, label.font, spot);
        const auto distance = [&](double x, double y) {
            return std::hypot(x - std::clamp(x, room.left, room.right()),
                              y - std::clamp(y, room.top, room.bottom()));
        };
        const double own = distance(label.of->x, label.of->y);
        for (const auto& [x, y, tag] : markers)
            if (distance(x, y) < own) spot.cost += confused;
    }
}

// "a from 3", "b from 3" → "a, b from 3"
std::string joined_tags(const std::string& one, const std::string& other) {
    if (one.empty() || one == other) return other;
    const std::size_t most = std::min(one.size(), other.size());
    std::size_t shared = 0;
    for (std::size_t k = 1; k < most && one[one.size() - k] == other[other.size() - k]; ++k)
        if (one[one.size() - k] == ' ') shared = k;
    return one.substr(0, one.size() - shared) + ", " + other;
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
        else
            same->tag = joined_tags(same->tag, marker.tag);
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

// A name for the arrows at each edge, next to one of them; with that of the series if they are of
// one.
void add_edge_labels(std::vector<Label>& labels, const Panel& panel, const Frame& frame,
                     std::span<const Arrows> arrows) {
    for (const bool are_above : {true, false}) {
        std::vector<const Series*> series;
        std::vector<Spot> spots;
        for (const Arrows& each : arrows) {
            if (each.are_above != are_above) continue;
            series.push_back(each.series);
            for (const double px : each.px) {
                const double level = are_above ? each.end + 3 : each.tip - 3;
                const double further = 0.1 * static_cast<double>(spots.size());
                spots.push_back({px + 8, level, Anchor::start, further});
                spots.push_back({px - 8, level, Anchor::end, further});
                for (const double down : {13., 28., 43., 58., 73.}) {
                    const double y = each.end + (are_above ? down : 9 - down);
                    const double cost = further + down * down / 50;
                    spots.push_back({px - 4, y, Anchor::start, cost});
                    spots.push_back({px + 4, y, Anchor::end, cost});
                    spots.push_back({px, y, Anchor::middle, cost + 0.1});
                }
            }
        }
        if (series.empty()) continue;
        const std::string& what = are_above ? panel.y.above : panel.y.below;
        labels.push_back(
            labelled(series.size() == 1 ? edge_words(panel, *series.front(), are_above) : what,
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

void add_zone_labels(std::vector<Label>& labels, const Panel& panel, const Frame& frame) {
    for (const Zone& zone : panel.zones) {
        const auto [left, width] = frame.clipped(zone.first, zone.last);
        if (text_width(zone.label, zone_font) > width - 4) continue;
        const double x = left + width / 2;
        labels.push_back(
            {.text = zone.label,
             .font = zone_font,
             .spots = {{x, frame.height - 7, Anchor::middle, 0}, {x, 14, Anchor::middle, 1}},
             .optional = true,
             .tint = zone.tint});
    }
}

}  // namespace

Annotations annotate(const Panel& panel, const Frame& frame, std::span<const DrawnSeries> drawn) {
    Ground ground(frame.width, frame.height);
    for (const DrawnSeries& each : drawn) ground.add(each);
    for (const Rule& rule : panel.rules) ground.add_vertical(frame.x(rule.x));
    for (const Level& level : panel.levels) ground.add_horizontal(frame.y(level.y));
    Annotations all{placed_markers(panel, frame), arrows_of(frame, drawn), {}};
    for (const Marker& marker : all.markers) ground.add_box({marker.x - 7, marker.y - 7, 14, 14});
    for (const Arrows& each : all.arrows)
        for (const double px : each.px)
            ground.add_box({px - arrow / 2, std::min(each.tip, each.end), arrow, arrow});
    std::vector<Label> of_points, of_lines;
    add_edge_labels(of_points, panel, frame, all.arrows);
    for (const auto& [x, y, tag] : all.markers) {
        of_points.push_back(labelled(tag, frame, around(x, y)));
        of_points.back().of = Point{x, y};
        avoid_other_rings(of_points.back(), all.markers);
    }
    for (const Level& level : panel.levels) {
        const double y = frame.y(level.y);
        if (frame.holds(0, y)) of_lines.push_back(labelled(level.label, frame, along(y, frame)));
    }
    add_zone_labels(of_lines, panel, frame);
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
            pixels(left - 2), pixels(top), pixels(width + 4), pixels(height),
            tinted(placed.label.tint));
    }
    return svg;
}

std::string draw_annotations(const Panel& panel, const Annotations& all) {
    std::string svg, rings, words;
    Path leaders;
    for (const PlacedLabel& placed : all.labels) {
        words += text_svg(placed.spot.x, placed.spot.y, placed.label.font, Ink::title,
                          placed.label.text, placed.spot.anchor);
        if (const auto leader = leader_of(placed.label, placed.room)) {
            leaders.move_to(leader->from.x, leader->from.y);
            leaders.line_to(leader->to.x, leader->to.y);
        }
    }
    for (const Marker& marker : all.markers)
        rings += fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"/>\n", pixels(marker.x),
                             pixels(marker.y), pixels(ring_radius));
    const std::string lines =
        leaders.empty() ? "" : fmt::format("<path d=\"{}\"/>\n", leaders.data());
    const auto draw = [&](const char* width, Ink ink, const std::string& marks) {
        if (!marks.empty())
            svg += fmt::format("<g fill=\"none\" stroke-width=\"{}\" {}>\n{}</g>\n", width,
                               stroked(ink), marks);
    };
    if (panel.heatmap) draw("4", Ink::paper, lines + rings);
    draw("1", panel.heatmap ? Ink::title : Ink::rule, lines);
    draw("1.5", Ink::title, rings);
    return svg + draw_arrows(all.arrows) + words;
}

}  // namespace rope::plots
