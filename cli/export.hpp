// rope-check export: golden vectors in the formats and layouts that people use.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command export_command;

}  // namespace rope::cli
