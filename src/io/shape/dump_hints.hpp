// What a user says of a dump.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/shape/cache_layout.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// What the user says about a dump; the rest is inferred from its shape and values.
struct DumpHints {
    DumpHints() = default;
    DumpHints(const Spec& wanted) : spec(wanted) {}

    std::optional<Spec> spec;  // rotary_dim, head_dim, the axes
    // Without a Spec, lanes of a head: a last axis of several times as many holds fused heads.
    std::optional<std::uint32_t> head_dim;
    bool splits_heads = true;           // a last axis of several heads' lanes
    std::optional<CacheLayout> layout;  // of a table
    // Of vectors, one letter an axis: s the sequence, d the lanes, b the batch, h the heads.
    std::string axes;
    // How many heads the config has of q, and of k, which may be repeated to as many as q's.
    std::vector<std::uint64_t> heads = {}, key_heads = {};
    bool has_no_batch = false;       // positions of [A, L] are on A axes
    bool is_any_axis_right = false;  // what is judged holds along any
    // Of the table beside vectors: their positions, where nothing else tells which axis these are
    // on.
    std::optional<std::uint64_t> table_rows;
};

}  // namespace rope::io
