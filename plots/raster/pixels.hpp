// A picture in true colour.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace rope::plots {

struct Pixels {
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> rgb;  // three for each, from the top left on
};

// Of a PNG (ISO 15948) of 8 bits a channel, RGB or RGBA, not interlaced, as rsvg-convert writes it;
// laid on white. Nothing for any other bytes.
std::optional<Pixels> pixels_of(std::string_view png);

}  // namespace rope::plots
