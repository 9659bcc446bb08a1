// Placement of labels in a plot area, off curves, dashed lines and other labels.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plots/parts/text.hpp"
#include "plots/svg/ink.hpp"
#include "plots/svg/layout.hpp"

namespace rope::plots {

struct Rect {
    double left, top, width, height;
    double right() const { return left + width; }
    double bottom() const { return top + height; }
    double distance(const Marker& from) const {
        return std::hypot(from.x - std::clamp(from.x, left, right()),
                          from.y - std::clamp(from.y, top, bottom()));
    }
    bool overlaps(const Rect& other) const {
        return left < other.right() && other.left < right() && top < other.bottom() &&
               other.top < bottom();
    }
};

enum class Anchor { start, middle, end };  // 0, 1 or 2 halves of the text are left of its point

// A place for a text: its anchor point on the baseline.
struct Spot {
    double x, y;
    Anchor anchor = Anchor::start;
    double cost = 0;  // in addition to what the text covers, such as 4 per pixel column of a curve
};

// Returns the rectangle of a line of text: DejaVu Sans' ascent and descent, without accents.
Rect room_of(std::string_view text, Font font, const Spot& spot);

inline constexpr double ring_radius = 5.5;
inline constexpr double line_gap = 4;  // pixels between a vertical line and a name next to it
inline constexpr Font label_font{12};

struct Label {
    std::string text;
    std::vector<Spot> spots = {};
    std::optional<Marker> ring = {};  // that it names, in pixels
};

struct PlacedLabel {
    std::string text;
    Spot spot;
    Rect room;
};

// The content of a plot area that labels should not cover.
class Ground {
  public:
    Ground(double width, double height)
        : width_(width), height_(height), ink_(static_cast<std::size_t>(std::ceil(width)) + 1) {}

    void add(const DrawnSeries& drawn);
    void add_vertical(double x) { verticals_.push_back(x); }
    void add_horizontal(double y) { horizontals_.push_back(y); }
    void add_box(const Rect& box) { boxes_.push_back(box); }
    void add_ring(const Marker& ring) {
        rings_.push_back(ring);
        add_box({ring.x - 7, ring.y - 7, 14, 14});
    }

    // Places each label, in order, at the spot inside the area that covers least; if none is
    // inside, at the first, moved inside. Later labels avoid the placed ones, and a label of a ring
    // the other rings. `above_lines`: how far the labels stay above dashed lines, which nearer ones
    // seem to name.
    std::vector<PlacedLabel> place(std::span<const Label> labels, double above_lines = 2);

  private:
    struct Interval {
        double low, high, cost;
    };
    void add_segment(const Column& from, const Column& to, double cost);
    std::size_t column_of(double x) const;
    double ink_cost(std::size_t column, double top, double bottom) const;
    double covered(const Rect& room, double above_lines) const;
    PlacedLabel best(const Label& label, double above_lines) const;

    double width_, height_;
    std::vector<std::vector<Interval>> ink_;  // [pixel column]
    std::vector<double> verticals_, horizontals_;
    std::vector<Rect> boxes_;
    std::vector<Marker> rings_;
};

// The arrows of one series at one edge.
struct Arrows {
    const Series* series;
    bool are_above;
    double tip, end;         // pixel y
    std::vector<double> px;  // of each arrow
};

struct Annotations {
    std::vector<Marker> markers;  // those in the frame, in pixels
    std::vector<Arrows> arrows;
    std::vector<PlacedLabel> labels;
};

// Returns the annotations, whose labels neither curves nor dashed lines cross if there is room.
Annotations annotate(const Panel& panel, const Frame& frame, std::span<const DrawnSeries> drawn);

// Returns the backgrounds that keep labels readable over curves, and all else.
std::string draw_backgrounds(const Annotations& all);
std::string draw_annotations(const Panel& panel, const Annotations& all);

// Returns text at (x, y), which is rotated about that point if it `is_upward`.
std::string text_svg(double x, double y, Font font, Ink ink, std::string_view words,
                     Anchor anchor = Anchor::start, bool is_upward = false);

}  // namespace rope::plots
