#include "io/shape/dump_hints.hpp"

#include <array>
#include <string>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/text.hpp"

namespace rope::io {
namespace {

using enum CacheLayout;

constexpr std::array layouts{duplicated, repeated, half,   cos_sin, sin_cos,
                             stacked,    complex,  angles, ggml,    matrices};
constexpr std::array<std::string_view, layouts.size()> names{
    "duplicated", "repeated", "half",   "cos-sin", "sin-cos",
    "stacked",    "complex",  "angles", "ggml",    "matrices"};

}  // namespace

std::span<const CacheLayout> cache_layouts() { return layouts; }

std::string_view to_string(CacheLayout layout) { return names[static_cast<std::size_t>(layout)]; }

CacheLayout parse_cache_layout(std::string_view text) {
    for (const CacheLayout layout : layouts)
        if (to_string(layout) == text) return layout;
    throw InputError("cache layout '" + printable(text, 60) + "' is not one of " +
                     join(layouts, to_string));
}

}  // namespace rope::io
