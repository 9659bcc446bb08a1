#include "plots/raster/terminal_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/base64.hpp"

namespace rope::plots {
namespace {

constexpr std::uint32_t band_height = 6;

// A bit for each row of the band in which a column has the colour, the lowest for the top row.
using Columns = std::vector<std::uint8_t>;

std::vector<Columns> columns_by_color(const Picture& picture, std::uint32_t top) {
    std::vector<Columns> all(picture.palette.size());
    for (std::uint32_t row = 0; row < std::min(band_height, picture.height - top); ++row) {
        const std::size_t begin = std::size_t{top + row} * picture.width;
        for (std::uint32_t x = 0; x < picture.width; ++x) {
            Columns& columns = all[picture.pixels[begin + x]];
            if (columns.empty()) columns.resize(picture.width);
            columns[x] = static_cast<std::uint8_t>(columns[x] | 1U << row);
        }
    }
    return all;
}

// A column is a character from ? on; those that repeat are !COUNT and one of them.
void add_columns(std::string& text, const Columns& columns) {
    for (auto at = columns.begin(); at != columns.end();) {
        const auto end = std::find_if(at, columns.end(), [&](auto one) { return one != *at; });
        if (end == columns.end() && *at == 0) return;
        const auto count = static_cast<std::size_t>(end - at);
        const char sixel = static_cast<char>('?' + *at);
        text += count > 3 ? fmt::format("!{}{}", count, sixel) : std::string(count, sixel);
        at = end;
    }
}

int percent(std::uint8_t part) { return (100 * part + 127) / 255; }

}  // namespace

std::string kitty_of(std::string_view png, std::size_t columns) {
    constexpr std::size_t most = 4096;
    const std::string data = base64_of(png);
    std::string text;
    for (std::size_t at = 0; at < data.size(); at += most) {
        const int more = at + most < data.size() ? 1 : 0;
        const std::string head = at == 0 ? fmt::format("a=T,f=100,q=2,c={},m={}", columns, more)
                                         : fmt::format("m={}", more);
        text += fmt::format("\x1b_G{};{}\x1b\\", head, data.substr(at, most));
    }
    return text;
}

std::string sixel_of(const Picture& picture) {
    std::string text = fmt::format("\x1bPq\"1;1;{};{}", picture.width, picture.height);
    for (std::size_t k = 0; k < picture.palette.size(); ++k) {
        const auto& [red, green, blue, opacity] = picture.palette[k];
        text += fmt::format("#{};2;{};{};{}", k, percent(red), percent(green), percent(blue));
    }
    for (std::uint32_t top = 0; top < picture.height; top += band_height) {
        const std::vector<Columns> all = columns_by_color(picture, top);
        for (std::size_t k = 0; k < all.size(); ++k) {
            if (all[k].empty()) continue;
            text += fmt::format("#{}", k);
            add_columns(text, all[k]);
            text += '$';  // back to the first column
        }
        text += '-';  // the next band
    }
    return text + "\x1b\\";
}

}  // namespace rope::plots
