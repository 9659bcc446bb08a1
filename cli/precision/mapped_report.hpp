// A report and the errors behind it, over position and pair.
#pragma once

#include <string>

#include "cli/command/judging.hpp"
#include "rope/checks/error_map.hpp"

namespace rope::cli {

// Whether any option names a dump.
bool has_dump(const Arguments& arguments);

// What sets the subject apart: "llama-3.1-8b, full_attention, bf16-angles".
std::string label_of(const Case& one, const Arguments& arguments, const Report& report);

// The map has no columns where the subject has no rows beside the exact ones.
MappedReport mapped(const Case& one, const Arguments& arguments, SessionOptions options,
                    ErrorMap asked = {});

}  // namespace rope::cli
