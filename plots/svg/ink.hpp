// Colours for light and dark pages, and paths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rope::plots {

enum class Ink { paper, title, text, muted, axis, grid, rule };

// Returns the attributes of an element with this fill or stroke: class="rc-title" fill="#111". The
// value is the colour on a light page.
std::string filled(Ink ink);
std::string stroked(Ink ink);

// The same for the colour of a series, from Okabe and Ito's palette, which colour-blind readers can
// distinguish; dark brown replaces its yellow, which is faint on white. Colours repeat after
// palette_colors, with other dashes.
std::string filled(int color);
std::string stroked(int color);
// Returns "" for a solid line, else “ stroke-dasharray="…"”.
std::string_view dashes(int color);

// The same for a zone's tint, 0 … 3.
std::string tinted(int tint);

// Returns a <style> with the dark colours, for readers who prefer these. Its classes start with
// rc-.
std::string dark_style();

// Returns x with two decimals, without trailing zeros: 12.5, 0, -3. Requires a finite x.
std::string pixels(double x);

// A path of SVG. Points are rounded before their differences are taken, so errors do not add up.
class Path {
  public:
    void move_to(double x, double y);
    void line_to(double x, double y);
    void dot(double x, double y);  // a disc with stroke-linecap="round"
    void close();

    const std::string& data() const { return data_; }
    // Returns the element with these attributes; "" if the path is empty.
    std::string svg(std::string_view attributes) const;

  private:
    std::string data_;
    std::int64_t x_ = 0, y_ = 0;  // the current point, hundredths of a pixel
    bool drawing_ = false;        // the last command was l, which need not be repeated
};

}  // namespace rope::plots
