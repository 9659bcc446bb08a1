// How the score of two equal tokens falls with their distance.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "plots/figures/decays.hpp"
#include "plots/figures/named_spec.hpp"
#include "plots/parts/figure.hpp"

namespace rope::plots {

inline constexpr std::uint64_t default_decay_distance = 1'048'576;

// Two panels, a curve in each for every Spec, over s = 1 … last on a log₂ axis:
//   B̂(s) = 2/d Σ cos(sθ_i)           the mean cosine: the score of q = k = 1, of 1 at s = 0
//   A(s) = 2/d Σ_j |Σ_{i<j} e^{isθ_i}|   RoFormer §3.4.3
// Distances looked at are added to `distances`.
Figure decay_figure(std::span<const NamedSpec> specs, std::uint64_t last = default_decay_distance,
                    TaskCount* distances = nullptr);

// Where each first rises.
std::string decay_headline(std::span<const NamedSpec> specs, std::span<const MeanCosShape> shapes,
                           std::uint64_t last);

// How line and band are to be read.
std::string column_note();

// The axis 1 … last, and an axis in steps of 0.2 from the least B̂, or 0, up to 1.
Axis distance_axis(std::uint64_t last);
Axis mean_cos_axis(double least);

}  // namespace rope::plots
