// The Spec that most of a dump agrees with, where none fits all of it.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "rope/subject/dump.hpp"

namespace rope {

struct Majority {
    Spec spec;
    // Those that rotate at its frequencies, in most rows, of those that tell
    std::size_t pairs = 0, of_pairs = 0;
    std::size_t rows = 0, of_rows = 0;  // rows that do; of frequencies alone 0
};

// One by which at least half of the pairs rotate, but pair 0, which turns by 1 whatever the base,
// in at least half of the rows that are rotations: whole rows, heads or pairs may be wrong. Looks
// at 256 rows of some heads. Of several axes it looks for M-RoPE's three alone.
std::optional<Majority> majority_of(const Dump& dump, std::span<const Spec> known = {});

}  // namespace rope
