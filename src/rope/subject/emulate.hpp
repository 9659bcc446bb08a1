// Rows as a known pipeline computes them.
#pragma once

#include <cstdint>
#include <memory>

#include "rope/subject/pipeline.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// Returns the rows 0 … context − 1 that the pipeline computes for this Spec.
std::unique_ptr<RowSource> emulate(const Spec& spec, const Pipeline& pipeline,
                                   std::uint64_t context);

// Returns the rows of keys that are rotated and cached one after another, in float32: row m has the
// frequencies of a sequence of m + 1 positions. The Spec has two tables and no seq_len.
std::unique_ptr<RowSource> emulate_cached_keys(const Spec& spec, std::uint64_t context);

}  // namespace rope
