#include "plots/svg/path.hpp"

#include <fmt/format.h>

#include <cassert>
#include <cmath>

namespace rope::plots {
namespace {

std::int64_t hundredths(double x) {
    assert(std::isfinite(x));
    return std::llround(x * 100);
}

std::string decimal(std::int64_t hundredths) {
    const std::int64_t whole = std::abs(hundredths) / 100;
    const std::int64_t part = std::abs(hundredths) % 100;
    std::string text = hundredths < 0 ? "-" : "";
    text += fmt::format("{}", whole);
    if (part != 0)
        text += part % 10 == 0 ? fmt::format(".{}", part / 10) : fmt::format(".{:02}", part);
    return text;
}

}  // namespace

std::string pixels(double x) { return decimal(hundredths(x)); }

void Path::move_to(double x, double y) {
    x_ = hundredths(x);
    y_ = hundredths(y);
    data_ += "M" + decimal(x_) + " " + decimal(y_);
    drawing_ = false;
}

void Path::line_to(double x, double y) {
    const std::int64_t to_x = hundredths(x);
    const std::int64_t to_y = hundredths(y);
    data_ += (drawing_ ? " " : "l") + decimal(to_x - x_) + " " + decimal(to_y - y_);
    x_ = to_x;
    y_ = to_y;
    drawing_ = true;
}

void Path::dot(double x, double y) {
    move_to(x, y);
    data_ += "h0";
}

void Path::close() {
    data_ += "z";
    drawing_ = false;
}

}  // namespace rope::plots
