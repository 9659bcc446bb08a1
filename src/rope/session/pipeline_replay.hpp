// A dump held against what a faulty pipeline computes, not against the truth: whether it is what
// that implementation does.
#pragma once

#include "rope/session/session.hpp"

namespace rope {

// Whether every angle of the pipeline is one number whoever computes it: positions and inv_freq are
// rounded so coarsely that no library's last unit is left, and only cos and sin may differ by one.
bool is_reproducible(const Pipeline& pipeline);

// table-accuracy, |value − pipeline's value| ≤ one unit of the table's format at 1, in vectors
// times |x1| + |x2| beside the roundings of y; and pass-through. Requires is_reproducible, a table
// or vectors of the Spec's widths, and whole positions from 0 on.
Report judge_by_pipeline(const Spec& spec, const Dump& dump, const Pipeline& pipeline,
                         const SessionOptions& options = {});

// Whether judge_by_pipeline applies to the dump's positions.
bool has_table_positions(const Dump& dump);

}  // namespace rope
