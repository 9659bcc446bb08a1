// Identifies the dumps of a file without a config.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// The Specs of the built-in models, which a dump may match.
struct KnownSpecs {
    std::vector<Spec> specs;
    std::vector<std::string_view> models;  // of each
};
KnownSpecs known_specs();

// The built-in models that rotate by the Spec, as "llama-3-8b, llama-3-70b"; empty without one.
std::string models_of(const Spec& spec, const KnownSpecs& known);

struct Identified {
    ResolvedSpec resolved;
    std::string identity;  // "--dim 128 --base 500000 …; matches llama-3-8b"
    // No other tensor of the file has this Spec, so that a diagnosis may fit another.
    bool is_assumed = false;
};

// The text that replaces `identity` where a diagnosis fitted another Spec than the assumed one.
std::string identity_beside_mistakes(const Spec& spec);

// Identifies each dump. A table and vectors, or q and k, share one rotation: if their Specs differ,
// all are compared with the Spec that fits most dumps. Vectors that match nothing
// are read as fused heads of a usual width, and replaced if these match. Throws InputError where
// nothing fits and the frequencies cannot be determined.
std::vector<Identified> identified(std::vector<NamedDump>& dumps, DumpTensors& tensors,
                                   const DumpHints& hints, const KnownSpecs& known);

}  // namespace rope::io
