#include "plots/raster/png.hpp"

#include <zlib.h>

#include <stdexcept>
#include <string_view>

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
        rows += '\0';  // no filter: indices are no numbers
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

}  // namespace rope::plots
