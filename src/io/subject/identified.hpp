// What the dumps of a file are, where no SPEC was given.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "io/dump/dump_tensors.hpp"
#include "io/resolve/resolved_model.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// Specs that a dump may match: the built-in models.

struct KnownSpecs {
    std::vector<Spec> specs;
    std::vector<std::string_view> models;  // of each
};
KnownSpecs known_specs();

// "llama-3-8b, llama-3-70b"; empty where no built-in model rotates so.
std::string models_of(const Spec& spec, const KnownSpecs& known);

// What the dumps of a file are, where no SPEC was given.

struct Identified {
    ResolvedSpec resolved;
    std::string identity;  // "--dim 128 --base 500000 …; matches llama-3-8b"
    // No other tensor of the file has this Spec: where a diagnosis fits another, nobody asked for
    // it.
    bool is_assumed = false;
};

// What replaces `identity` where a diagnosis fitted another Spec than the assumed one.
std::string identity_beside_mistakes(const Spec& spec);

// Of each dump. A table and the vectors beside it, and q and k, are of one rotation: where their
// Specs contradict each other they are judged by the one that most of them follow. Vectors that
// match nothing as one head are read again as fused heads of a usual width, and are then those.
// Throws InputError where nothing fits and the frequencies stay open.
std::vector<Identified> identified(std::vector<NamedDump>& dumps, DumpTensors& tensors,
                                   const DumpHints& hints, const KnownSpecs& known);

}  // namespace rope::io
