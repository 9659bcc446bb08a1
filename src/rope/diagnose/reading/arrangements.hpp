// Which lanes of a head form pairs: what a Spec asks for, and the known ways to get it wrong.
#pragma once

#include <cstdint>
#include <vector>

#include "rope/diagnose/reading/reading.hpp"

namespace rope {

// From the first lane that moved to before `end`.
struct MovedLanes {
    std::uint32_t first = 0, end = 0;
};

struct NamedArrangement {
    std::vector<NamedMistake> mistakes;
    Spec spec;  // whose pairs these are
    Arrangement arrangement;
};

Arrangement arrangement_of(const Spec& spec);

// Other layouts and dimensions, lanes that are read at one place and written at another, and what
// other ways of applying cos and sin come to.
std::vector<NamedArrangement> other_arrangements(const Spec& asked, MovedLanes moved);

}  // namespace rope
