// The d attribute of an SVG path, in hundredths of a pixel.
#pragma once

#include <cstdint>
#include <string>

namespace rope::plots {

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
