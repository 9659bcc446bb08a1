// How long each pair takes for a turn, and what scaling does to it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "plots/figures/named_spec.hpp"
#include "plots/parts/figure.hpp"

namespace rope::plots {

// A row of two panels for every Spec, over its pairs i, on axes that all rows share, the bands of
// its rope_type tinted:
//   λ_i = 2π/inv_freq     positions to a turn, unscaled and as planned, the trained length across
//   length/λ_i            turns, unscaled in the trained length and as planned in the context
// Without a context, each Spec's max_position_embeddings. A pair that does not rotate has no dot.
Figure spectrum_figure(std::span<const NamedSpec> specs, std::optional<std::uint64_t> context = {});

}  // namespace rope::plots
