// Where an island of bases that hold ends.
#pragma once

#include "rope/base_bound/exclusion.hpp"

namespace rope {

// Of the island around `holds`, below `fails`. Searched, not proved: gaps may remain that none of a
// few bases below the end shows.
IslandEnd island_end(PairCounts pairs, std::uint64_t context, double holds, double fails);

}  // namespace rope
