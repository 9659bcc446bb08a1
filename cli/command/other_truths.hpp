// Dumps that compare judges by something else than the rotation of a Spec.
#pragma once

#include "cli/shell/arguments.hpp"
#include "io/dump/dump_tensors.hpp"

namespace rope::cli {

// --rotary-dim 0: vectors that must not rotate. Of a width of their own unless one is given.
bool is_stillness_asked(const Arguments& arguments);
int judge_stillness(io::DumpTensors& tensors, const io::DumpHints& hints,
                    const Arguments& arguments);

// --table: q and k by the cos and sin that they came with.
int judge_by_own_table(io::DumpTensors& tensors, io::DumpHints hints, const Arguments& arguments);

}  // namespace rope::cli
