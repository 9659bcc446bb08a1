#include "plots/raster/pixels.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <string>

namespace rope::plots {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::uint32_t number_at(std::string_view bytes, std::size_t at) {
    std::uint32_t number = 0;
    for (const char c : bytes.substr(at, 4)) number = number << 8 | static_cast<std::uint8_t>(c);
    return number;
}

// All chunks of a type, one after another.
std::string chunks(std::string_view png, std::string_view type) {
    std::string data;
    for (std::size_t at = 8; at + 12 <= png.size();) {
        const std::size_t size = number_at(png, at);
        if (size > png.size() - at - 12) return data;
        if (png.substr(at + 4, 4) == type) data += png.substr(at + 8, size);
        at += 12 + size;
    }
    return data;
}

// Bytes of a pixel, or 0 where the header is of another kind of picture.
std::size_t channels_of(std::string_view header) {
    if (header.size() != 13 || header[8] != 8 || header.substr(10) != std::string_view("\0\0\0", 3))
        return 0;
    return header[9] == 2 ? 3 : header[9] == 6 ? 4 : 0;
}

std::optional<Bytes> inflated(const std::string& data, std::size_t size) {
    Bytes bytes(size);
    uLongf length = static_cast<uLongf>(size);
    const int code = uncompress(bytes.data(), &length, reinterpret_cast<const Bytef*>(data.data()),
                                static_cast<uLong>(data.size()));
    return code == Z_OK && length == size ? std::optional(std::move(bytes)) : std::nullopt;
}

// ISO 15948, 9.4: whichever of a, b and c is nearest to a + b − c.
int paeth(int a, int b, int c) {
    const int to_a = std::abs(b - c), to_b = std::abs(a - c), to_c = std::abs(a + b - 2 * c);
    return to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c;
}

int predicted(int filter, int a, int b, int c) {
    switch (filter) {
        case 1:
            return a;
        case 2:
            return b;
        case 3:
            return (a + b) / 2;
        case 4:
            return paeth(a, b, c);
        default:
            return 0;
    }
}

// ISO 15948, 9.2, in place: each row is its filter and `stride` bytes, predicted from the byte to
// the left, the one above and the one left of that.
void undo_filters(Bytes& rows, std::size_t stride, std::size_t channels) {
    for (std::size_t begin = 0; begin < rows.size(); begin += stride + 1) {
        for (std::size_t k = 1; k <= stride; ++k) {
            const std::size_t at = begin + k;
            const bool has_left = k > channels, has_above = begin > 0;
            const int a = has_left ? rows[at - channels] : 0;
            const int b = has_above ? rows[at - stride - 1] : 0;
            const int c = has_left && has_above ? rows[at - stride - 1 - channels] : 0;
            rows[at] = static_cast<std::uint8_t>(rows[at] + predicted(rows[begin], a, b, c));
        }
    }
}

Bytes on_white(const Bytes& rows, std::size_t stride, std::size_t channels) {
    Bytes rgb;
    for (std::size_t begin = 0; begin < rows.size(); begin += stride + 1) {
        for (std::size_t at = begin + 1; at <= begin + stride; at += channels) {
            const int opacity = channels == 4 ? rows[at + 3] : 255;
            for (std::size_t part = 0; part < 3; ++part)
                rgb.push_back(static_cast<std::uint8_t>(
                    (rows[at + part] * opacity + 255 * (255 - opacity) + 127) / 255));
        }
    }
    return rgb;
}

}  // namespace

std::optional<Pixels> pixels_of(std::string_view png) {
    constexpr std::uint32_t largest = 1 << 14;
    if (!png.starts_with("\x89PNG\r\n\x1a\n")) return std::nullopt;
    const std::string header = chunks(png, "IHDR");
    const std::size_t channels = channels_of(header);
    if (channels == 0) return std::nullopt;
    const std::uint32_t width = number_at(header, 0), height = number_at(header, 4);
    if (std::min(width, height) == 0 || std::max(width, height) > largest) return std::nullopt;
    const std::size_t stride = width * channels;
    std::optional<Bytes> rows = inflated(chunks(png, "IDAT"), height * (stride + 1));
    if (!rows) return std::nullopt;
    undo_filters(*rows, stride, channels);
    return Pixels{width, height, on_white(*rows, stride, channels)};
}

}  // namespace rope::plots
