// What a user says of a dump.
#pragma once

#include <optional>
#include <string>

#include "io/shape/cache_layout.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// What a dump is told to be; the rest is found from its shape and its numbers.
struct DumpHints {
    DumpHints() = default;
    DumpHints(const Spec& wanted) : spec(wanted) {}

    std::optional<Spec> spec;           // rotary_dim, head_dim, the axes
    std::optional<CacheLayout> layout;  // of a table
    // Of vectors, one letter an axis: s the sequence, d the lanes, b the batch, h the heads.
    std::string axes;
};

}  // namespace rope::io
