// A line of text as an SVG element.
#pragma once

#include <string>
#include <string_view>

#include "plots/svg/ink.hpp"
#include "plots/svg/labels.hpp"

namespace rope::plots {

std::string text_svg(double x, double y, Font font, Ink ink, std::string_view words,
                     Anchor anchor = Anchor::start);

// Upward, its middle there.
std::string upward_text_svg(double x, double y, Font font, Ink ink, std::string_view words);

}  // namespace rope::plots
