// The box of each text of a figure, read from its SVG.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "plots/svg/labels.hpp"

namespace rope::plots {

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

}  // namespace rope::plots
