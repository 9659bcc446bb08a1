// How a dump was judged.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "rope/subject/row_source.hpp"

namespace rope {

// Pairs that turn otherwise than asked, within each value's allowance or not.
struct OddPairs {
    std::vector<std::uint32_t> pairs = {};
    bool are_still = false;
};

struct Judgement {
    std::vector<double> wrong_at = {};  // positions where checks found it wrong
    // If a pipeline was named, its exactness; else that of an unknown implementation.
    std::optional<Exactness> exactness = {};
    unsigned threads = 0;  // 0: as many as the machine has
    OddPairs odd_pairs = {};
};

// Whether the whole dump agrees with a Spec that some of its rows allow.
using AllowsSpec = std::function<bool(const Spec& spec)>;

}  // namespace rope
