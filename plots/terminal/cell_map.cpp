#include "plots/terminal/cell_map.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "plots/raster/heatmap_image.hpp"

namespace rope::plots {
namespace {

constexpr std::string_view shades = " .:-=+*#%@";

struct Span {
    std::size_t first, last;
};

// Number k of so many equal parts of 0 … size − 1: one at least.
Span span_of(std::size_t size, std::size_t k, std::size_t parts) {
    const std::size_t first = size * k / parts;
    return {first, std::max(first + 1, size * (k + 1) / parts) - 1};
}

// The largest value there; −1 where there is no cell.
float largest(const Heatmap& heatmap, const Span& rows, const Span& columns) {
    float most = -1;
    for (std::size_t row = rows.first; row <= rows.last; ++row)
        for (std::size_t k = columns.first; k <= columns.last; ++k)
            most = std::max(most, heatmap.at(row, heatmap.columns[k]));
    return most;
}

std::string_view shade_of(float value, const Heatmap& heatmap) {
    if (value < 0) return " ";
    if (!std::isfinite(value)) return "!";
    const double place = std::log10(std::max<double>(value, heatmap.low) / heatmap.low) /
                         std::log10(heatmap.high / heatmap.low);
    const auto last = static_cast<double>(shades.size() - 1);
    return shades.substr(static_cast<std::size_t>(std::lround(std::min(1.0, place) * last)), 1);
}

bool has_blocks(const TerminalStyle& style) {
    return !style.is_ascii && style.palette != Palette::none;
}

std::optional<Color> color_of(float value, const Heatmap& heatmap) {
    return value < 0 ? std::nullopt : std::optional(shown_color(value, heatmap));
}

}  // namespace

void draw_cells(Canvas& canvas, std::size_t row, std::size_t column, std::size_t columns,
                std::size_t rows, const Heatmap& heatmap, const TerminalStyle& style) {
    const std::size_t lines = has_blocks(style) ? 2 * rows : rows, size = heatmap.rows.size();
    for (std::size_t c = 0; c < columns; ++c) {
        const Span parts = span_of(heatmap.columns.size(), c, columns);
        const auto value = [&](std::size_t line) {  // from the top
            return largest(heatmap, span_of(size, lines - 1 - line, lines), parts);
        };
        for (std::size_t r = 0; r < rows; ++r) {
            if (!has_blocks(style)) {
                canvas.put(row + r, column + c, shade_of(value(r), heatmap));
                continue;
            }
            const auto upper = color_of(value(2 * r), heatmap);
            const auto lower = color_of(value(2 * r + 1), heatmap);
            if (upper)
                canvas.put(row + r, column + c, "▀", {upper, lower, Emphasis::plain});
            else if (lower)
                canvas.put(row + r, column + c, "▄", {lower, {}, Emphasis::plain});
        }
    }
}

void draw_shades(Canvas& canvas, std::size_t row, std::size_t column, std::size_t columns,
                 const Heatmap& heatmap, const TerminalStyle& style) {
    for (std::size_t c = 0; c < columns; ++c) {
        const double share = static_cast<double>(c) / static_cast<double>(columns - 1);
        const auto value =
            static_cast<float>(heatmap.low * std::pow(heatmap.high / heatmap.low, share));
        if (has_blocks(style))
            canvas.put(row, column + c, "█", {shown_color(value, heatmap), {}, Emphasis::plain});
        else
            canvas.put(row, column + c, shade_of(value, heatmap));
    }
}

}  // namespace rope::plots
