// What relative-position knows of the rows of one range of pairs.
#pragma once

#include <cstdint>
#include <vector>

#include "rope/columns/prefix.hpp"
#include "rope/comparison/comparison.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {

// Rows between two powers of two.
struct Octave {
    double last_position = 0;
    std::vector<double> square = {};  // the largest |w|² of each pair; empty: no rows
    std::vector<double> norm = {};    // the largest |v|²
};

using Prefixes = std::vector<std::vector<PrefixWorst>>;  // of each pair

struct PairBlock {
    PairRange pairs;
    std::vector<Octave> octaves = {};
    Prefixes prefixes = {};  // every one, or those below 1024
    std::vector<char> whole = {};

    std::vector<double> largest_norms() const;  // of each pair over all rows
    // Rows that come after these.
    void merge(const PairBlock& later);
};

void exchange(Archive& archive, Octave& octave);
void exchange(Archive& archive, PairBlock& block);

// Pairs of one vector register, whose prefixes are searched together.
inline constexpr std::uint32_t searched_together = 8;

// Every prefix of the pairs of the block from `first` on, a multiple of those searched together.
Prefixes search_prefixes(const Comparison& comparison, const PairBlock& block, std::uint32_t first);
// What that found.
void keep(PairBlock& block, std::uint32_t first, Prefixes found);

// Of R(m)ᵀR(n), with each row to that position within ε: 2ε + ε².
double pair_allowance(const Comparison& comparison, double position, std::uint32_t pair);
// The prefixes of a pair of the block.
void add_to(WorstCase& worst_case, const Comparison& comparison, const PairBlock& block,
            std::uint32_t i);

}  // namespace rope
