// Where an island of bases that hold ends.
#pragma once

#include "rope/base_bound/exclusion.hpp"

namespace rope {

// Of the island around `holds`, below `fails`: every distance that is negative there moves the end
// down, until none is.
IslandEnd island_end(PairCounts pairs, std::uint64_t context, double holds, double fails);

}  // namespace rope
