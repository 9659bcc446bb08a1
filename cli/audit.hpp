// rope-check audit: a black-box test of a program that rotates vectors, through files.
#pragma once

#include "cli/command.hpp"

namespace rope::cli {

extern const Command audit_command;

}  // namespace rope::cli
