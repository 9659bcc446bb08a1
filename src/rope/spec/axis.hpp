// Which position axis turns each pair, where positions have several: time, height, width.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace rope {

enum class AxisScheme {
    single,        // one axis turns all
    sectioned,     // M-RoPE in contiguous sections of the frequencies (Qwen2-VL, ggml MROPE)
    interleaved,   // M-RoPE as THWTHW… (Qwen3-VL)
    interleaved4,  // the same with a fourth axis for what is left over (ggml IMROPE)
    axial,     // first half of the pairs x, second half y, frequencies restart (article 2-D RoPE)
    halves,    // a head of two halves, each a RoPE of its own (ChatGLM-6B)
    blocks,    // sections, each a RoPE of its own width: t, h, w of a video (Wan, MiniMax-M3-VL)
    even_odd,  // first half the even frequencies, second half the odd ones (Pixtral)
    alternating,        // axes take turns, each with frequencies of its own (Kimi-K2.5's vision)
    height_width_time,  // height and width take turns, then time (ERNIE-4.5-VL)
};

struct AxisMap {
    AxisScheme scheme = AxisScheme::single;
    std::vector<std::uint32_t> sections = {};  // pairs of each axis, where they may differ

    bool operator==(const AxisMap&) const = default;
};

std::string_view to_string(AxisScheme scheme);
// Throws InputError naming the schemes.
AxisScheme parse_axis_scheme(std::string_view text);

std::uint32_t axis_count(const AxisMap& axes);

// The axis of each of `pairs` pairs. Throws InputError when the map does not fit as many.
//   sectioned     s_0 pairs of axis 0, then s_1 of axis 1, …
//   interleaved   pair j: axis 1 if j mod 3 = 1 and j < 3·s_1, axis 2 if j mod 3 = 2 and j < 3·s_2,
//                 else axis 0
//   interleaved4  pair j: axis j mod 3 if j < 3·s_(j mod 3), else axis 3
//   axial, halves, even_odd   the first half axis 0, the second axis 1
//   blocks        as sectioned
//   alternating   pair j: axis j mod 2
//   height_width_time, of [s_h, s_w, s_t] with s_h = s_w: for j < s_h + s_w axis 1 where j is even
//                 and 2 where it is odd, then axis 0; positions are (t, h, w)
std::vector<std::uint32_t> axis_of_pairs(const AxisMap& axes, std::uint32_t pairs);

// Token t of an image read row by row, `width` tokens a row: (x, y) = (t mod width, t div width),
// the positions of axial's axes 0 and 1. Requires width > 0.
struct GridPosition {
    std::uint64_t x;
    std::uint64_t y;
};
GridPosition grid_position(std::uint64_t t, std::uint64_t width);

// How often the frequencies start over: 2 for axial, halves and alternating, once a section for
// blocks, else 1.
std::uint32_t frequency_restarts(const AxisMap& axes);

// θ = base^(−2·index/width)
struct FrequencyStep {
    std::uint32_t index;
    std::uint32_t width;  // even

    bool operator==(const FrequencyStep&) const = default;
};

// Of each of `pairs` pairs. Requires a map that fits as many.
//   blocks        (i, 2s) for pair i of a section of s
//   axial, halves (i, pairs) for pair i of either half
//   alternating   (j div 2, pairs)
//   even_odd      (2i, 2·pairs) in the first half, (2i + 1, 2·pairs) in the second
//   else          (j, 2·pairs)
std::vector<FrequencyStep> frequency_steps(const AxisMap& axes, std::uint32_t pairs);

// Ladders of frequencies: θ = base^(−2i/width) for i = 0, 1, …, one for all pairs or one an axis.

// The width of each, one after the other. Requires a map that fits as many pairs.
std::vector<std::uint32_t> ladder_widths(const AxisMap& axes, std::uint32_t pairs);

// Whether pair j is step j of one ladder, whatever axis turns it.
bool is_one_ladder(const AxisMap& axes);

}  // namespace rope
