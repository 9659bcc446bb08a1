// Places words inside a plot area so that they cover no curve, no dashed line and no other words.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "plots/parts/text.hpp"
#include "plots/svg/drawn_series.hpp"
#include "plots/svg/ink.hpp"

namespace rope::plots {

struct Rect {
    double left, top, width, height;
    double right() const { return left + width; }
    double bottom() const { return top + height; }
    bool overlaps(const Rect& other) const {
        return left < other.right() && other.left < right() && top < other.bottom() &&
               other.top < bottom();
    }
};

enum class Anchor { start, middle, end };
std::string_view to_string(Anchor anchor);

// A place for a text: the point of its anchor on the baseline.
struct Spot {
    double x, y;
    Anchor anchor = Anchor::start;
    double cost = 0;  // added to what the text covers there: 4 for each pixel column of a curve
};

// The room that a line of text takes there: DejaVu Sans' ascent and descent, without accents.
Rect room_of(std::string_view text, Font font, const Spot& spot);

struct Point {
    double x, y;
};
inline constexpr double ring_radius = 5.5, least_leader = 17.5;  // nearer labels need no line

struct Label {
    std::string text;
    Font font;
    std::vector<Spot> spots = {};
    bool optional = false;         // left out where it would cover another label
    int tint = 0;                  // its background
    std::optional<Point> of = {};  // the point that it names: a far label is joined to it by a line
};

// From the ring around `of` to the nearest point of the room; none where they are near.
struct Leader {
    Point from, to;
};
std::optional<Leader> leader_of(const Label& label, const Rect& room);

struct PlacedLabel {
    Label label;
    Spot spot;
    Rect room;
};

// What a plot area holds.
class Ground {
  public:
    Ground(double width, double height);

    void add(const DrawnSeries& drawn);
    void add_vertical(double x) { verticals_.push_back(x); }
    void add_horizontal(double y) { horizontals_.push_back(y); }
    void add_box(const Rect& box) { boxes_.push_back(box); }

    // Puts each label, in order, in the spot inside the area where it covers least; where none is
    // inside, in the first, moved inside. A label covers a curve rather than that its line crosses
    // one. What has been placed, its line too, is ground for the next.
    std::vector<PlacedLabel> place(std::span<const Label> labels);

  private:
    struct Interval {
        double low, high;
    };
    void add_segment(const Column& from, const Column& to);
    void add_line(Point from, Point to);
    double covered(const Rect& room) const;
    double crossed(const Leader& leader) const;
    bool holds(const Rect& room) const;
    PlacedLabel best(const Label& label) const;

    double width_, height_;
    std::vector<std::vector<Interval>> ink_;  // of each pixel column
    std::vector<double> verticals_, horizontals_;
    std::vector<Rect> boxes_;
};

std::string text_svg(double x, double y, Font font, Ink ink, std::string_view words,
                     Anchor anchor = Anchor::start);

// Upward, its middle there.
std::string upward_text_svg(double x, double y, Font font, Ink ink, std::string_view words);

}  // namespace rope::plots
