// The positions that a dump has beside its tables and vectors.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "rope/subject/dump.hpp"

namespace rope::io {

struct DumpPositions {
    std::optional<NamedArray> ids;
    std::vector<std::string> differing;  // arrays of other usual names that say otherwise
};

// Those that --positions names, else of the first usual name. Throws InputError or IoError.
DumpPositions find_positions(DumpTensors& tensors);

// Of a dump that has its positions from them: which other array differs, and {"rounded_positions",
// "33 of 65", …} where ids are in a format, or all numbers of one, that cannot hold every whole
// number of their size, and some are repeated, one after the other.
void say_more_of(const DumpPositions& positions, std::vector<Assumption>& read_as);

// A table that is kept for every position, rather than made for those of the vectors: by its name,
// or because it has no axis as long as they are; then each must have a row, else throws InputError.
bool is_cache(const NamedArray& table, const NamedArray& positions, const DumpHints& asked);

}  // namespace rope::io
