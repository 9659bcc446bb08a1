// What a dump is, where no SPEC was given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/diagnose/diagnosis.hpp"

namespace rope::cli {

// Specs that a dump may match: the built-in models.
struct KnownSpecs {
    std::vector<Spec> specs;
    std::vector<std::string_view> models;  // of each
};
KnownSpecs known_specs();

struct Identified {
    io::ResolvedSpec resolved;
    std::string identity;                // "--dim 128 --base 500000 …; matches llama-3-8b"
    bool fits = false, is_open = false;  // as Identity has them
};
Identified identified(const Dump& dump, const KnownSpecs& known);
// Vectors that match nothing as one head are read again as fused heads of a usual width. Throws
// InputError where that leaves the frequencies open.
Identified identified_in_heads(io::NamedDump& dump, io::DumpTensors& tensors,
                               const io::DumpHints& hints, const KnownSpecs& known);

}  // namespace rope::cli
