// Prefixes of the rows by powers of two: ε grows with position, so each has its own allowance.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "base/archive.hpp"
#include "rope/columns/worst_pair.hpp"

namespace rope {

// Octave j is the distances from 0 that are at least 2^(j−1) and below 2^j; octave 0 those below 1.
// Prefix j is the octaves up to j.
inline std::size_t octave_of(double position) {
    return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(std::abs(position))));
}

// The worst pair of positions of a prefix.
struct PrefixWorst {
    double last_position;
    WorstPair worst;
};

inline void exchange(Archive& archive, PrefixWorst& prefix) {
    archive(prefix.last_position, prefix.worst.m, prefix.worst.n, prefix.worst.error);
}

}  // namespace rope
