// Specs side by side: the angle difference over the decay of the score.
#pragma once

#include <cstdint>
#include <span>

#include "plots/figures/decay.hpp"
#include "plots/figures/named_spec.hpp"
#include "plots/svg/figure.hpp"

namespace rope::plots {

// A column for each Spec, a row for the angle sθ₀ mod 2π (angles.hpp) and one for B̂(s) up to
// last (decay.hpp), each row on one y axis. Of base_and_scaled(spec) it is what a bare
// `rope-check plot-decay` writes.
Figure comparison_figure(std::span<const NamedSpec> specs,
                         std::uint64_t last = default_decay_distance);

}  // namespace rope::plots
