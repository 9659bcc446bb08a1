// What a dump is, where no SPEC was given.
#pragma once

#include <string>

#include "io/dump/dump_tensors.hpp"
#include "io/resolve/resolved_model.hpp"
#include "io/subject/known_specs.hpp"

namespace rope::io {

struct Identified {
    ResolvedSpec resolved;
    std::string identity;  // "--dim 128 --base 500000 …; matches llama-3-8b"
};

// Vectors that match nothing as one head are read again as fused heads of a usual width, and `dump`
// is then those. Throws InputError where nothing fits and the frequencies stay open.
Identified identified(NamedDump& dump, DumpTensors& tensors, const DumpHints& hints,
                      const KnownSpecs& known);

}  // namespace rope::io
