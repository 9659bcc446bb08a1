// The angle between two tokens against their distance: He & Xu's Figures 1 and 2.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "plots/figures/named_spec.hpp"
#include "plots/parts/figure.hpp"

namespace rope::plots {

// sθᵢ modulo 2π for s = 1 … last, a dot at each, from exact phases; between them a faint sawtooth
// that breaks where the angle wraps. Ringed: the first s at which their property (c3) fails in this
// pair,
//   R1  the angle wraps     R2  cos(sθ) rises     R3  |cos(sθ)| rises
// Without a last: eight turns of the pair (their 50 for θ₀ = 1), at most 4·max_position_embeddings.
Panel angle_panel(const NamedSpec& named, std::uint32_t pair, std::optional<std::uint64_t> last,
                  int color);

// A panel for each Spec, one under the other, all on the same axis 0 … 2π; one for several whose
// pair turns alike.
Figure angles_figure(std::span<const NamedSpec> specs, std::uint32_t pair,
                     std::optional<std::uint64_t> last = {});

// What the tags R1, R2, R3 mean, in a line.
std::string c3_note(std::uint32_t pair);

// Whether the angle panels of both would say the same, as of pair 0, which turns by 1 for every
// base.
bool draw_alike(const NamedSpec& a, const NamedSpec& b, std::uint32_t pair);

}  // namespace rope::plots
