// A dump read by the Spec that it is judged by.
#pragma once

#include <cstdint>
#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "io/resolve/resolved_model.hpp"

namespace rope::io {

// If no tensor has the Spec's width, by their shape alone: a wrong rotary_dim is a mistake, while
// the shape of a different head is refused. DeepSeek's vectors may have the lanes that do not
// rotate, and `asked` is then of the whole head. Throws InputError or IoError.
std::vector<NamedDump> load_dump_by(DumpTensors& tensors, DumpHints hints, ResolvedSpec& asked);

// Of a Spec of two tables, the one that the dump's sequence uses: of two concatenated tables each
// is its own; else the positions choose, of frequencies `context` (0: not given) or they
// themselves.
void choose_table_of(ResolvedSpec& resolved, const NamedDump& dump, std::uint64_t context);

}  // namespace rope::io
