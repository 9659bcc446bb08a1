// A picture of few colours as PNG.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace rope::plots {

struct Color {
    std::uint8_t red, green, blue, opacity = 255;
};

struct Picture {
    std::uint32_t width = 0, height = 0;
    std::vector<Color> palette;        // at most 256
    std::vector<std::uint8_t> pixels;  // indices into it, from the top left on
};

// ISO 15948, colour type 3. The same picture gives the same bytes wherever zlib is the same.
std::string png_of(const Picture& picture);

}  // namespace rope::plots
