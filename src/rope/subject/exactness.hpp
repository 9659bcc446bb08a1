// How exact a subject's numbers are expected to be.
#pragma once

#include "rope/subject/pipeline.hpp"

namespace rope {

// Error of one cos or sin of an existing table: half a spacing of the format, and 2 ulp of a
// float32 library; an attention factor is itself rounded, and its product.
double table_rounding(Format format, double amplitude);

// Error of one lane of a rotated pair, relative to the pair's norm before:
// y = c·x1 − s·x2 with c, s, both products and the sum rounded, and the other lane alike:
// |error| ≤ (2√2 + 1)u·a|x| per pair
double rotation_rounding(Format format, double amplitude);

// Of a table in `format`. By the class of `pipeline` where one is given, in the
// pipeline's format, else as an unknown implementation.
Exactness table_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                          const Pipeline* pipeline);

// Of rows worked out from vectors that were rotated in `format`; the angles likewise.
Exactness rotation_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                             const Pipeline* pipeline);

// Of the angles alone, nothing being rounded beside them.
Exactness frequency_exactness(const Spec& spec, const FrequencyPlan& plan,
                              const Pipeline* pipeline);

}  // namespace rope
