// What distance costs under RoPE, and under its relatives.
#pragma once

#include <cstdint>
#include <span>

#include "plots/figures/named_spec.hpp"
#include "plots/parts/figure.hpp"

namespace rope::plots {

inline constexpr std::uint64_t default_relatives_distance = 16'384;

// One panel over s = 1 … last on a log₂ axis: how far the logit of two equal tokens at distance s
// is below the one at distance 0.
//   RoPE           √d·(B̂(s) − 1)      q = k = 1 in every lane, divided by √d
//   sinusoidal     √d/2·(B̂(s) − 1)    ⟨PE(p), PE(p + s)⟩ = Σ cos sθᵢ of the same d and base,
//   likewise ALiBi          −m·s               the slopes m of heads 1, 4 and 8 of 8 (Press et al.)
Figure relatives_figure(std::span<const NamedSpec> specs, std::uint64_t last);

}  // namespace rope::plots
