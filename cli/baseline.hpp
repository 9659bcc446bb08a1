// rope-check baseline: records every metric of a report, and says what moved since.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command baseline_command;

}  // namespace rope::cli
