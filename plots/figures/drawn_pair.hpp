// Which pair distinguishes Specs.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "plots/figures/named_spec.hpp"

namespace rope::plots {

// Of the pairs that turn in every Spec, and in two of them differently (pair 0 turns by 1 for every
// base), the slowest that comes round within each one's max_position_embeddings, or within `reach`
// where that is what is drawn: a slower one is a flat line. If none does, the first that turns
// differently; 0 where none does that, as of one Spec.
std::uint32_t slowest_differing_pair(std::span<const NamedSpec> specs,
                                     std::optional<std::uint64_t> reach = {});

// The number of pairs that every Spec has.
std::uint32_t common_pairs(std::span<const NamedSpec> specs);

}  // namespace rope::plots
