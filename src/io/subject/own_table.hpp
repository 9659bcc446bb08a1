// Vectors beside the cos and sin that they came with.
#pragma once

#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "rope/session/replays.hpp"

namespace rope::io {

// The only table. Throws InputError where there is none, or several.
const TableDump& only_table(const std::vector<NamedDump>& dumps);

// The place in a head of the vectors' width.
TableUse in_heads_of(const NamedDump& vectors, TableUse use);

// Heads as wide as the table, fused, where whole rows are explained by nothing. Throws InputError
// or IoError.
std::vector<NamedDump> load_with_table(DumpTensors& tensors, DumpHints hints, const TableUse& use);

}  // namespace rope::io
