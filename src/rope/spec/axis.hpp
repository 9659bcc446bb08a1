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
    axial,   // first half of the pairs x, second half y, frequencies restart (article 2-D RoPE)
    halves,  // a head of two halves, each a RoPE of its own (ChatGLM-6B)
};

struct AxisMap {
    AxisScheme scheme = AxisScheme::single;
    std::vector<std::uint32_t> sections = {};  // pairs of each axis, for the M-RoPE schemes

    bool operator==(const AxisMap&) const = default;
};

std::string_view to_string(AxisScheme scheme);
// Throws InputError naming the schemes.
AxisScheme parse_axis_scheme(std::string_view text);

std::uint32_t axis_count(const AxisMap& axes);

// The axis of each of `pairs` pairs. Throws InputError when the map does not fit as many.
//   sectioned     s_0 pairs of axis 0, then s_1 of axis 1, …
//   interleaved   pair j: axis 1 if j mod 3 = 1 and j < 3·s_1, axis 2 if j mod 3 = 2 and j < 3·s_2,
//                 else axis 0 (interleaved4: else axis 3 where j mod 3 ≠ 0)
//   axial, halves the first half axis 0, the second axis 1
std::vector<std::uint32_t> axis_of_pairs(const AxisMap& axes, std::uint32_t pairs);

// Token t of an image read row by row, `width` tokens a row: (x, y) = (t mod width, t div width),
// the positions of axial's axes 0 and 1. Requires width > 0.
struct GridPosition {
    std::uint64_t x;
    std::uint64_t y;
};
GridPosition grid_position(std::uint64_t t, std::uint64_t width);

// How often the frequencies start over: 2 for axial and halves, else 1.
std::uint32_t frequency_restarts(const AxisMap& axes);

}  // namespace rope
