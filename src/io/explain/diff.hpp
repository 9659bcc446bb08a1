// The comparison of two configs.
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
    std::vector<std::string> differing;  // names of the fields; empty: one rotation
    bool permuted = false;               // only in layout; weights were permuted for it
};

struct Diff {
    std::string a, b;                         // names of the two configs
    std::vector<DiffedPlan> plans;            // layers that rotate in both
    std::vector<std::string> only_a, only_b;  // layers without counterpart
    std::vector<Lint> lint;                   // of both configs

    bool same() const;
};

// Compares two models. Groups of layers are matched by layer number if both configs have numbers,
// without layers that only the longer model has; else by name, each with every group that shares
// one. A config with one rotation is matched with every group of the other. Default positions: the
// lengths for which the two were trained and are usable. Numbers differ above a relative
// `tolerance`.
Diff diff(const ResolvedModel& a, const ResolvedModel& b,
          const std::vector<std::uint64_t>& positions, double tolerance = same_in_float32);

// Returns the differences and their sizes; `verbose` lists every pair.
Document diff_document(const Diff& diff, bool verbose);

}  // namespace rope::io
