// Position axes (time, height, width) and which of them rotates each pair.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rope {

enum class AxisScheme {
    single,        // one axis for all pairs
    sectioned,     // M-RoPE in contiguous sections of the pairs (Qwen2-VL, ggml MROPE)
    interleaved,   // M-RoPE as THWTHW… (Qwen3-VL)
    interleaved4,  // as interleaved, with a fourth axis for the remaining pairs (ggml IMROPE)
    axial,     // first half of the pairs x, second half y; frequencies restart (article 2-D RoPE)
    halves,    // two halves of a head, each with a separate RoPE (ChatGLM-6B)
    blocks,    // a RoPE for each section, for t, h, w of a video (Wan, MiniMax-M3-VL)
    even_odd,  // even frequencies in the first half of the pairs, odd ones in the second (Pixtral)
    alternating,        // axes alternate; frequencies restart for each (Kimi-K2.5's vision encoder)
    height_width_time,  // height and width alternate, then time (ERNIE-4.5-VL)
};

struct AxisMap {
    AxisScheme scheme = AxisScheme::single;
    std::vector<std::uint32_t> sections = {};  // pairs of each axis, if any

    bool operator==(const AxisMap&) const = default;
};

std::string_view to_string(AxisScheme scheme);
// Throws InputError with the known names.
AxisScheme parse_axis_scheme(std::string_view text);

std::uint32_t axis_count(const AxisMap& axes);
// Returns whether the first of two axes is the column of an image. True for alternating axes
// (Kimi's MoonViT); others take the row first (the vision towers of Qwen2-VL and Pixtral).
bool is_column_first(const AxisMap& axes);

// Returns whether only images and videos have these axes: text has no positions on them.
bool are_of_images(const AxisMap& axes);

// Returns the axis of each pair. Throws InputError if the map does not fit `pairs` pairs.
//   sectioned     s_0 pairs of axis 0, then s_1 of axis 1, …
//   interleaved   pair j: axis 1 if j mod 3 = 1 and j < 3·s_1, axis 2 if j mod 3 = 2 and j < 3·s_2,
//                 else axis 0
//   interleaved4  pair j: axis j mod 3 if j < 3·s_(j mod 3), else axis 3
//   axial, halves, even_odd   the first half axis 0, the second axis 1
//   blocks        as sectioned
//   alternating   pair j: axis j mod 2
//   height_width_time with sections [s_h, s_w, s_t], s_h = s_w: for j < s_h + s_w axis 1 if j is
//                 even, 2 if odd; then axis 0. Positions are (t, h, w).
std::vector<std::uint32_t> axis_of_pairs(const AxisMap& axes, std::uint32_t pairs);

// Returns how often the frequencies start again: 2 for axial, halves and alternating, the number of
// sections for blocks, else 1.
std::uint32_t frequency_restarts(const AxisMap& axes);

// θ = base^(−2·index/width)
struct FrequencyStep {
    std::uint32_t index;
    std::uint32_t width;  // even

    bool operator==(const FrequencyStep&) const = default;
};

// Returns the step of each pair. Requires a map that fits `pairs` pairs.
//   blocks        (i, 2s) for pair i of a section of s
//   axial, halves (i, pairs) for pair i of either half
//   alternating   (j div 2, pairs)
//   even_odd      (2i, 2·pairs) in the first half, (2i + 1, 2·pairs) in the second
//   others        (j, 2·pairs)
std::vector<FrequencyStep> frequency_steps(const AxisMap& axes, std::uint32_t pairs);

// Ladders: sequences of frequencies θ = base^(−2i/width), i = 0, 1, …, either one for all pairs or
// one for each axis.

// Returns the width of each ladder. Requires a map that fits `pairs` pairs.
std::vector<std::uint32_t> ladder_widths(const AxisMap& axes, std::uint32_t pairs);

// Returns whether pair j has step j of a single ladder, independently of the axes.
bool is_one_ladder(const AxisMap& axes);

}  // namespace rope
