// A dump read by the Spec that it is judged by, by its own table, and without xPos' scales.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/dump/dump_tensors.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/session/replays.hpp"

namespace rope::io {

// A dump read by the Spec that it is judged by.

// If no tensor has the Spec's width, by their shape alone: a wrong rotary_dim is a mistake, while
// the shape of a different head is refused. DeepSeek's vectors may have the lanes that do not
// rotate, and `asked` is then of the whole head. Throws InputError or IoError.
std::vector<NamedDump> load_dump_by(DumpTensors& tensors, DumpHints hints, ResolvedSpec& asked);

// Of a Spec of two tables, the one that the dump's sequence uses: of two concatenated tables each
// is its own; else the positions choose, of frequencies `context` (0: not given) or they
// themselves.
void choose_table_of(ResolvedSpec& resolved, const NamedDump& dump, std::uint64_t context);

// Vectors beside the cos and sin that they came with.

// The only table. Throws InputError where there is none, or several.
const TableDump& only_table(const std::vector<NamedDump>& dumps);

// The place in a head of the vectors' width.
TableUse in_heads_of(const NamedDump& vectors, TableUse use);

// Heads as wide as the table, fused, where whole rows are explained by nothing. Throws InputError
// or IoError.
std::vector<NamedDump> load_with_table(DumpTensors& tensors, DumpHints hints, const TableUse& use);

// Vectors of a file without xPos' scales, which are in no table and in no law but that of scores.

// Vectors that were multiplied by `scale` after the rotation: those of q, or of k where there are
// no others. Requires a finite scale other than 0. Throws InputError where a dump holds no vectors.
void take_scale_off(std::vector<NamedDump>& dumps, double scale);

// Of L positions torchscale's centre is ⌈L/2⌉, which is that of none. Names that begin with k are
// keys. Throws InputError where a dump holds no vectors.
void take_xpos_off(std::vector<NamedDump>& dumps, const Spec& spec, double base,
                   std::optional<double> centre);

}  // namespace rope::io
