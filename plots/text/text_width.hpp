// How wide words are, and where they break. In DejaVu Sans, which the figures ask for first: what
// replaces it is as wide (Verdana) or narrower (Arial).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rope::plots {

enum class Weight { regular, bold };

struct Font {
    double size;  // pixels
    Weight weight = Weight::regular;
};

// In pixels, of the text as xml_escape shows it. A character of no known width counts as one em.
double text_width(std::string_view text, Font font);

// Lines no wider than that: broken after a space, else after one of - _ / , else anywhere. What
// does not fit in `most` lines ends with "…".
std::vector<std::string> wrapped(std::string_view text, double width, Font font,
                                 std::size_t most = 4);

}  // namespace rope::plots
