// Two configs side by side.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/resolve/resolved_model.hpp"
#include "io/text/document.hpp"
#include "rope/spec/spectrum.hpp"

namespace rope::io {

struct DiffedPlan {
    std::string layers;  // "all layers"
    Difference difference;
    std::vector<std::string> differing;  // names; empty: the same rotation
    bool permuted = false;  // only by their layouts, for which a converter permuted the weights
};

struct Diff {
    std::string a, b;                         // how the two were named
    std::vector<DiffedPlan> plans;            // layers that rotate in both
    std::vector<std::string> only_a, only_b;  // layers that have no counterpart
    std::vector<Lint> lint;                   // of both configs

    bool same() const;
};

// Groups are matched by the numbers of their layers where both configs tell them, but for layers
// that only the longer model has, else by their names, each with every group of the other that
// shares one; a config that rotates in one way only meets every group of the other. Without
// positions, at the lengths that the two were trained on and are good for. Numbers differ beyond a
// relative `tolerance`.
Diff diff(const ResolvedModel& a, const ResolvedModel& b,
          const std::vector<std::uint64_t>& positions, double tolerance = same_in_float32);

// What differs, and by how much; `verbose` lists every pair.
Document diff_document(const Diff& diff, bool verbose);

}  // namespace rope::io
