// Specs side by side: the angle difference over the decay of the score.
#pragma once

#include <cstdint>
#include <span>

#include "plots/figures/decay.hpp"
#include "plots/figures/named_spec.hpp"
#include "plots/parts/figure.hpp"

namespace rope::plots {

struct ComparisonView {
    std::uint32_t pair = 0;   // whose angle is drawn
    std::size_t per_row = 2;  // columns; more Specs start a row of their own below
    std::uint64_t last = default_decay_distance;
};

// A column for each Spec: its angle sθᵢ mod 2π (angles.hpp) over B̂(s) up to last (decay.hpp), all
// on the same y axes. Of base_and_scaled(spec) it is what a bare `rope-check plot-decay` writes.
// Distances looked at are added to `distances`.
Figure comparison_figure(std::span<const NamedSpec> specs, const ComparisonView& view,
                         TaskCount* distances = nullptr);

}  // namespace rope::plots
