#include "plots/raster/few_colors.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <utility>

namespace rope::plots {
namespace {

constexpr std::size_t most_colors = 256;

// The colours that agree in the top five bits of each channel.
struct Bin {
    std::size_t count = 0;
    std::array<std::size_t, 3> sum{};

    Color mean() const {
        const auto part = [&](std::size_t k) {
            return static_cast<std::uint8_t>((sum[k] + count / 2) / count);
        };
        return {part(0), part(1), part(2)};
    }
};

std::size_t bin_of(const std::uint8_t* rgb) {
    return static_cast<std::size_t>(rgb[0] >> 3 << 10 | rgb[1] >> 3 << 5 | rgb[2] >> 3);
}

std::vector<Bin> bins_of(const Pixels& pixels) {
    std::vector<Bin> bins(std::size_t{1} << 15);
    for (std::size_t at = 0; at < pixels.rgb.size(); at += 3) {
        Bin& bin = bins[bin_of(&pixels.rgb[at])];
        ++bin.count;
        for (std::size_t k = 0; k < 3; ++k) bin.sum[k] += pixels.rgb[at + k];
    }
    return bins;
}

int distance(const Color& a, const Color& b) {
    const int red = a.red - b.red, green = a.green - b.green, blue = a.blue - b.blue;
    return red * red + green * green + blue * blue;
}

std::uint8_t nearest(const Color& color, const std::vector<Color>& palette) {
    const auto found = std::ranges::min_element(
        palette, {}, [&](const Color& known) { return distance(color, known); });
    return static_cast<std::uint8_t>(found - palette.begin());
}

}  // namespace

Picture with_few_colors(const Pixels& pixels) {
    const std::vector<Bin> bins = bins_of(pixels);
    std::vector<std::size_t> used;
    for (std::size_t bin = 0; bin < bins.size(); ++bin)
        if (bins[bin].count > 0) used.push_back(bin);
    std::ranges::sort(used, [&](std::size_t a, std::size_t b) {
        return std::pair(bins[b].count, a) < std::pair(bins[a].count, b);
    });
    Picture picture{pixels.width, pixels.height, {}, {}};
    for (const std::size_t bin : used | std::views::take(most_colors))
        picture.palette.push_back(bins[bin].mean());
    std::vector<std::uint8_t> index(bins.size());
    for (const std::size_t bin : used) index[bin] = nearest(bins[bin].mean(), picture.palette);
    for (std::size_t at = 0; at < pixels.rgb.size(); at += 3)
        picture.pixels.push_back(index[bin_of(&pixels.rgb[at])]);
    return picture;
}

}  // namespace rope::plots
