// Series with stored points, a CSV as text, and a Spec with its scaled form.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plots/figures/subject.hpp"
#include "plots/parts/figure.hpp"
#include "plots/parts/series.hpp"
#include "plots/parts/ticks.hpp"
#include "plots/svg/labels.hpp"
#include "plots/terminal/csv.hpp"

namespace rope::plots {

inline Series stored(const Series& series) {
    Series kept{series.label, series.mark, series.color};
    for (PointReader at(series); !at.ended(); at.advance()) {
        kept.x.push_back(at.x());
        kept.y.push_back(at.y());
    }
    return kept;
}

inline std::string to_csv(const Figure& figure) {
    std::string csv;
    write_csv(figure, [&](std::string_view bytes) { csv += bytes; });
    return csv;
}

inline std::vector<NamedSpec> base_and_scaled(const Spec& spec) {
    return with_scaled(std::vector<NamedSpec>{{"base θ", spec}});
}

inline std::size_t count_of(std::string_view text, std::string_view part) {
    std::size_t count = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++count;
    return count;
}

// The box of each text of a figure, read from its SVG.

struct TextBox {
    std::string text;
    Rect room;
};

class TextBoxes {
  public:
    static std::vector<TextBox> of(std::string_view svg) {
        TextBoxes reader;
        while (!svg.empty()) {
            const auto open = svg.find('<');
            if (open == svg.npos) break;
            const auto close = svg.find('>', open);
            const std::string_view tag = svg.substr(open, close - open);
            svg.remove_prefix(close + 1);
            reader.read(tag, svg);
        }
        return std::move(reader.boxes_);
    }

    // The fault: a text that leaves the page, or two texts that overlap.
    static std::string complaint(std::string_view svg) {
        const std::vector<TextBox> boxes = of(svg);
        const double width = number(svg, " width"), height = number(svg, " height");
        if (boxes.empty()) return "no text";
        for (const auto& [text, room] : boxes)
            if (room.left < 0 || room.top < 0 || room.right() > width || room.bottom() > height)
                return "off the page: " + text;
        for (std::size_t i = 0; i < boxes.size(); ++i)
            for (std::size_t k = i + 1; k < boxes.size(); ++k)
                if (boxes[i].room.overlaps(boxes[k].room))
                    return "overprinted: " + boxes[i].text + " | " + boxes[k].text;
        return "";
    }

  private:
    static std::string attribute(std::string_view tag, std::string_view name) {
        const auto at = tag.find(std::string(name) + "=\"");
        if (at == tag.npos) return "";
        const auto from = at + name.size() + 2;
        return std::string(tag.substr(from, tag.find('"', from) - from));
    }
    static double number(std::string_view tag, std::string_view name) {
        const std::string text = attribute(tag, name);
        return text.empty() ? 0 : std::stod(text);
    }
    // "translate(a b)…"
    static std::pair<double, double> shift(std::string_view tag) {
        const std::string text = attribute(tag, "transform");
        if (!text.starts_with("translate(")) return {0, 0};
        std::size_t used = 0;
        const double x = std::stod(text.substr(10), &used);
        return {x, std::stod(text.substr(10 + used))};
    }
    static std::string unescaped(std::string text) {
        const std::pair<const char*, const char*> entities[] = {
            {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}};
        for (const auto& [entity, character] : entities)
            for (auto at = text.find(entity); at != text.npos; at = text.find(entity, at + 1))
                text.replace(at, std::string_view(entity).size(), character);
        return text;
    }

    void read(std::string_view tag, std::string_view rest) {
        if (tag.starts_with("<g")) {
            const auto [x, y] = shift(tag);
            shifts_.push_back({shifts_.back().first + x, shifts_.back().second + y});
        }
        if (tag == "</g") shifts_.pop_back();
        if (!tag.starts_with("<text")) return;
        const std::string text = unescaped(std::string(rest.substr(0, rest.find("</text"))));
        const std::string anchor = attribute(tag, "text-anchor");
        const Font font{number(tag, "font-size"),
                        tag.find("bold") == tag.npos ? Weight::regular : Weight::bold};
        const Anchor anchored = anchor == "end"      ? Anchor::end
                                : anchor == "middle" ? Anchor::middle
                                                     : Anchor::start;
        const auto [left, top] = shifts_.back();
        Rect room = room_of(text, font, {number(tag, " x"), number(tag, " y"), anchored});
        if (tag.find("rotate(-90)") != tag.npos) {
            const auto [x, y] = shift(tag);
            room = {x + room.top, y - room.right(), room.height, room.width};
        }
        room.left += left;
        room.top += top;
        boxes_.push_back({text, room});
    }

    std::vector<std::pair<double, double>> shifts_{{0, 0}};
    std::vector<TextBox> boxes_;
};

// A figure with one element of each kind and dyadic numbers: its drawing is the same with every
// libm.

inline Panel linear_example() {
    const double gap = std::numeric_limits<double>::quiet_NaN();
    Panel panel;
    panel.title = "left";
    panel.subtitle = "dots over a guide";
    panel.x = {"distance s", Scale::linear, 0, 8, decimal_ticks(0, 8, 5)};
    panel.y = {"angle", Scale::linear, -1, 1, decimal_ticks(-1, 1, 5)};
    panel.series = {{"", Mark::guide, 0, {0, 4, 4, 4, 8}, {-1, 1, gap, -1, 1}},
                    {"whole s", Mark::dots, 0, {1, 2, 3, 5, 6, 7}, {-0.5, 0, 0.5, -0.5, 0, 0.5}}};
    panel.rules = {{4, "n = 4"}};
    panel.markers = {{5, -0.5, "R1"}};
    return panel;
}

inline Panel log_example() {
    Panel panel;
    panel.title = "right";
    panel.x = {"distance s", Scale::log2, 1, 1024, power_of_two_ticks(1, 1024, 6)};
    panel.y = {"score", Scale::linear, 0, 1, decimal_ticks(0, 1, 6)};
    Series falling{"falling", Mark::line, 1};
    Series spread{"spread", Mark::band, 2};
    for (int k = 0; k <= 10; ++k) {
        falling.x.push_back(std::ldexp(1, k));
        falling.y.push_back(1 - k / 16.0);
        for (const double y : {0.125, 0.375}) {
            spread.x.push_back(std::ldexp(1, k));
            spread.y.push_back(y);
        }
    }
    panel.series = {falling, spread};
    return panel;
}

inline Figure example_figure() {
    Figure figure;
    figure.title = "One of everything";
    figure.subtitle = "from fixed numbers";
    figure.description = "Two panels.";
    figure.notes = {"a note"};
    figure.columns = 2;
    figure.panels = {linear_example(), log_example()};
    figure.version = "0.0.0";
    figure.command = "rope-check plot-example --label '<a & b>'";
    figure.parameters = {{"head_dim", "4"}};
    return figure;
}

}  // namespace rope::plots
