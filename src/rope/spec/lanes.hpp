// Which lanes of a head a rotation pairs.
#pragma once

#include <cstddef>
#include <vector>

#include "rope/spec/spec.hpp"

namespace rope {

struct Lanes {
    std::size_t first;
    std::size_t second;
};

// The lanes of pair i among rotary_dim lanes, as a rotation reads them.
Lanes lanes_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i);
// As it writes them: the same, but for interleaved_to_half_split.
Lanes written_lanes_of_pair(PairLayout layout, std::size_t rotary_dim, std::size_t i);

// The same in the heads of a Spec, from its rotary_offset on, each half by itself where its axes
// say so. A reverse Spec's are exchanged: turning (x2, x1) by φ turns (x1, x2) by −φ.
Lanes lanes_of_pair(const Spec& spec, std::size_t i);
Lanes written_lanes_of_pair(const Spec& spec, std::size_t i);

// The lanes that do not rotate, in ascending order.
std::vector<std::size_t> passed_lanes(const Spec& spec);

}  // namespace rope
