// What a figure is drawn with: the colours, on a light page and on a dark one, and paths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rope::plots {

enum class Ink { paper, title, text, muted, axis, grid, rule };

// Attributes of an element that is filled or stroked with it: class="rc-title" fill="#111". Without
// style sheets it is the light page's colour.
std::string filled(Ink ink);
std::string stroked(Ink ink);

// The same of a series' colour, Okabe and Ito's palette, which colour-blind readers can
// distinguish; a dark brown replaces its yellow, which is too faint on white. Those beyond
// palette_colors are the same colours again, with other dashes.
std::string filled(int color);
std::string stroked(int color);
// Of a line: "" for a solid one, else stroke-dasharray="…".
std::string_view dashes(int color);

// Of a zone's tint, 0 … 3.
std::string tinted(int tint);

// A <style> that turns all of them dark where the reader prefers that. Its classes start with rc-.
std::string dark_style();

// x to two decimals without trailing zeros: 12.5, 0, -3. x must be finite.
std::string pixels(double x);

// Points are rounded first and then written as differences, so nothing accumulates.
class Path {
  public:
    void move_to(double x, double y);
    void line_to(double x, double y);
    void dot(double x, double y);  // shows as a disc under stroke-linecap="round"
    void close();

    bool empty() const { return data_.empty(); }
    const std::string& data() const { return data_; }

  private:
    std::string data_;
    std::int64_t x_ = 0, y_ = 0;  // the current point
    bool drawing_ = false;        // the last command was l, which may be left out
};

}  // namespace rope::plots
