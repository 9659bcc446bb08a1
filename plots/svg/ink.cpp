#include "plots/svg/ink.hpp"

#include <fmt/format.h>

#include <array>
#include <cassert>
#include <cmath>

#include "plots/parts/series.hpp"

namespace rope::plots {
namespace {

struct Tone {
    std::string_view name, light, dark;
};

// in the order of enum Ink
constexpr std::array<Tone, 7> inks = {{{"paper", "#fff", "#0d1117"},
                                       {"title", "#111", "#f0f3f6"},
                                       {"text", "#222", "#e1e4e8"},
                                       {"muted", "#555", "#b1bac4"},
                                       {"axis", "#444", "#c9d1d9"},
                                       {"grid", "#e5e5e5", "#363d47"},
                                       {"rule", "#777", "#909dab"}}};
constexpr std::array<Tone, palette_colors> palette = {{{"series0", "#0072B2", "#4aa8e8"},
                                                       {"series1", "#D55E00", "#ff8b3d"},
                                                       {"series2", "#009E73", "#2fc79a"},
                                                       {"series3", "#CC79A7", "#e89cc6"},
                                                       {"series4", "#E69F00", "#f4bc3c"},
                                                       {"series5", "#56B4E9", "#9fd8ff"},
                                                       {"series6", "#7A4A1E", "#c89a6c"},
                                                       {"series7", "#222222", "#f0f3f6"}}};
constexpr std::array<Tone, 4> tints = {{{"tint0", "#fff", "#0d1117"},
                                        {"tint1", "#fdf1d0", "#30280b"},
                                        {"tint2", "#e3eff8", "#10263b"},
                                        {"tint3", "#eee", "#1d2126"}}};

template <std::size_t size>
const Tone& at(const std::array<Tone, size>& tones, int index) {
    return tones[static_cast<std::size_t>(index) % size];
}

std::string with(const Tone& tone, std::string_view property) {
    return fmt::format("class=\"rc-{0}-{1}\" {0}=\"{2}\"", property, tone.name, tone.light);
}

std::int64_t hundredths(double x) {
    assert(std::isfinite(x));
    return std::llround(x * 100);
}

std::string decimal(std::int64_t hundredths) {
    return fmt::format("{}", static_cast<double>(hundredths) / 100);
}

}  // namespace

std::string filled(Ink ink) { return with(at(inks, static_cast<int>(ink)), "fill"); }
std::string stroked(Ink ink) { return with(at(inks, static_cast<int>(ink)), "stroke"); }
std::string filled(int color) { return with(at(palette, color), "fill"); }
std::string stroked(int color) { return with(at(palette, color), "stroke"); }
std::string tinted(int tint) { return with(at(tints, tint), "fill"); }

std::string_view dashes(int color) {
    constexpr std::array<std::string_view, 4> patterns = {"", " stroke-dasharray=\"7 4\"",
                                                          " stroke-dasharray=\"2 4\"",
                                                          " stroke-dasharray=\"9 4 2 4\""};
    return patterns[static_cast<std::size_t>(color) / palette.size() % patterns.size()];
}

std::string dark_style() {
    std::string rules;
    const auto add = [&](const auto& tones, std::string_view property) {
        for (const Tone& tone : tones)
            rules += fmt::format(".rc-{0}-{1}{{{0}:{2}}}", property, tone.name, tone.dark);
    };
    add(inks, "fill");
    add(inks, "stroke");
    add(palette, "fill");
    add(palette, "stroke");
    add(tints, "fill");
    return "<style>@media (prefers-color-scheme:dark){" + rules + "}</style>\n";
}

std::string pixels(double x) { return decimal(hundredths(x)); }

void Path::move_to(double x, double y) {
    x_ = hundredths(x);
    y_ = hundredths(y);
    data_ += "M" + decimal(x_) + " " + decimal(y_);
    drawing_ = false;
}

void Path::line_to(double x, double y) {
    const std::int64_t to_x = hundredths(x);
    const std::int64_t to_y = hundredths(y);
    data_ += (drawing_ ? " " : "l") + decimal(to_x - x_) + " " + decimal(to_y - y_);
    x_ = to_x;
    y_ = to_y;
    drawing_ = true;
}

void Path::dot(double x, double y) {
    move_to(x, y);
    data_ += "h0";
}

void Path::close() {
    data_ += "z";
    drawing_ = false;
}

std::string Path::svg(std::string_view attributes) const {
    return data_.empty() ? "" : fmt::format("<path {} d=\"{}\"/>\n", attributes, data_);
}

}  // namespace rope::plots
