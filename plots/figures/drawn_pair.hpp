// Which pair tells Specs apart.
#pragma once

#include <cstdint>
#include <span>

#include "plots/figures/named_spec.hpp"

namespace rope::plots {

// The slowest pair that turns in every Spec, and in two of them differently: pair 0 turns by 1 for
// every base. 0 where they do not differ, as where there is one alone.
std::uint32_t slowest_differing_pair(std::span<const NamedSpec> specs);

// The number of pairs that every Spec has.
std::uint32_t common_pairs(std::span<const NamedSpec> specs);

}  // namespace rope::plots
