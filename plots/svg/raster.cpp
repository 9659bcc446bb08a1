#include "plots/svg/raster.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <string_view>

#include "base/base64.hpp"

namespace rope::plots {
namespace {

void add_number(std::string& bytes, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(number >> shift & 255);
}

void add_chunk(std::string& png, std::string_view type, const std::string& data) {
    const std::string body = std::string(type) + data;
    add_number(png, static_cast<std::uint32_t>(data.size()));
    png += body;
    add_number(png, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                     static_cast<uInt>(body.size()))));
}

std::string deflated(const std::string& bytes) {
    uLongf size = compressBound(static_cast<uLong>(bytes.size()));
    std::string small(size, '\0');
    if (compress2(reinterpret_cast<Bytef*>(small.data()), &size,
                  reinterpret_cast<const Bytef*>(bytes.data()), static_cast<uLong>(bytes.size()),
                  Z_BEST_COMPRESSION) != Z_OK)
        throw std::bad_alloc();
    small.resize(size);
    return small;
}

constexpr std::size_t shades = 250;
constexpr Color crimson{0xdc, 0x14, 0x3c};
constexpr std::uint8_t not_finite = 250, no_cell = 251;

// Nuñez, Anderton and Renslow, PLOS ONE 13(7) e0199239, every ninth colour.
constexpr std::array<Color, 10> cividis = {{{0x00, 0x22, 0x4e},
                                            {0x12, 0x35, 0x70},
                                            {0x3b, 0x49, 0x6c},
                                            {0x57, 0x5d, 0x6d},
                                            {0x70, 0x71, 0x73},
                                            {0x8a, 0x86, 0x78},
                                            {0xa5, 0x9c, 0x74},
                                            {0xc3, 0xb3, 0x69},
                                            {0xe1, 0xcc, 0x55},
                                            {0xfe, 0xe8, 0x38}}};

Color shade(std::size_t k) {
    const double place = static_cast<double>(k * (cividis.size() - 1)) / (shades - 1);
    const auto below = std::min(static_cast<std::size_t>(place), cividis.size() - 2);
    const double share = place - static_cast<double>(below);
    const Color &a = cividis[below], &b = cividis[below + 1];
    const auto mixed = [&](std::uint8_t Color::* part) {
        return static_cast<std::uint8_t>(std::lround((1 - share) * (a.*part) + share * (b.*part)));
    };
    return {mixed(&Color::red), mixed(&Color::green), mixed(&Color::blue)};
}

std::vector<Color> colors() {
    std::vector<Color> all;
    for (std::size_t k = 0; k < shades; ++k) all.push_back(shade(k));
    all.push_back(crimson);
    all.push_back({0, 0, 0, 0});
    return all;
}

std::uint8_t index_of(float value, const Heatmap& heatmap) {
    if (value < 0) return no_cell;
    if (!std::isfinite(value)) return not_finite;
    return static_cast<std::uint8_t>(std::lround(heatmap.place_of(value) * (shades - 1)));
}

std::uint32_t repeats(std::size_t cells, double length) {
    const double each = std::round(2 * length / static_cast<double>(cells));
    return static_cast<std::uint32_t>(std::max(1.0, each));
}

std::string image(const Picture& picture, double left, double width, double height) {
    return fmt::format(
        "<image x=\"{}\" width=\"{}\" height=\"{}\" preserveAspectRatio=\"none\" "
        "image-rendering=\"pixelated\" href=\"data:image/png;base64,{}\"/>\n",
        left, width, height, base64_of(png_of(picture)));
}

}  // namespace

std::string png_of(const Picture& picture) {
    std::string header, colors, opacities, rows;
    add_number(header, picture.width);
    add_number(header, picture.height);
    header += std::string("\x08\x03\0\0\0", 5);  // 8 bits, indexed, deflate, no interlace
    for (const Color& color : picture.palette) {
        for (const std::uint8_t part : {color.red, color.green, color.blue})
            colors += static_cast<char>(part);
        opacities += static_cast<char>(color.opacity);
    }
    for (std::uint32_t y = 0; y < picture.height; ++y) {
        rows += '\0';  // no filter, as indices are not numeric values
        const auto from = picture.pixels.begin() + std::ptrdiff_t{picture.width} * y;
        rows.append(from, from + picture.width);
    }
    std::string png = "\x89PNG\r\n\x1a\n";
    add_chunk(png, "IHDR", header);
    add_chunk(png, "PLTE", colors);
    add_chunk(png, "tRNS", opacities);
    add_chunk(png, "IDAT", deflated(rows));
    add_chunk(png, "IEND", "");
    return png;
}

Picture picture_of(const Heatmap& heatmap, double width, double height) {
    const std::size_t rows = heatmap.rows.size(), columns = heatmap.edges.size() - 1;
    const std::uint32_t across = repeats(heatmap.columns.size(), width);
    const std::uint32_t down = repeats(rows, height);
    Picture picture{static_cast<std::uint32_t>(heatmap.columns.size()) * across,
                    static_cast<std::uint32_t>(rows) * down,
                    colors(),
                    {}};
    std::vector<std::uint8_t> indices(columns + 1);
    for (std::size_t row = rows; row-- > 0;) {
        for (std::size_t k = 0; k <= columns; ++k)
            indices[k] = index_of(heatmap.at(row, k), heatmap);
        for (std::uint32_t again = 0; again < down; ++again)
            for (const std::uint32_t column : heatmap.columns)
                picture.pixels.insert(picture.pixels.end(), across, indices[column]);
    }
    return picture;
}

std::string heatmap_image(const Heatmap& heatmap, double width, double height) {
    return image(picture_of(heatmap, width, height), 0, width, height);
}

std::string scale_image(double left, double width, double height) {
    Picture picture{1, shades, colors(), {}};
    for (std::size_t k = shades; k-- > 0;) picture.pixels.push_back(static_cast<std::uint8_t>(k));
    return image(picture, left, width, height);
}

}  // namespace rope::plots
