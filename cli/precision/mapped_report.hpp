// A report and the errors behind it, over position and pair.
#pragma once

#include "cli/command/judging.hpp"
#include "rope/judge/error_map.hpp"

namespace rope::cli {

// Whether any option names a dump.
bool has_dump(const Arguments& arguments);

// Labelled by what sets the subject apart: "llama-3.1-8b, full_attention, bf16-angles". The map has
// no columns where the subject has no rows beside the exact ones.
MappedReport mapped(const Case& one, const Arguments& arguments, SessionOptions options,
                    ErrorMap asked = {});

}  // namespace rope::cli
