// How exact somebody's numbers may be expected to be.
#pragma once

#include "rope/pipeline.hpp"

namespace rope {

// Of a table in `format`. By the class of `pipeline` where it is known who made it, in the
// pipeline's format, else as an unknown implementation (largest_sound_k).
Exactness table_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                          const Pipeline* pipeline);

// Of rows worked out from vectors that were rotated in `format`; the angles likewise.
Exactness rotation_exactness(const Spec& spec, const FrequencyPlan& plan, Format format,
                             const Pipeline* pipeline);

// Of the angles alone, nothing being rounded beside them.
Exactness frequency_exactness(const Spec& spec, const FrequencyPlan& plan,
                              const Pipeline* pipeline);

}  // namespace rope
