// Which options may have a default of a project or the environment.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/shell/arguments.hpp"

namespace rope::cli {

// Nothing that names what is read, written or started, or what is judged, or that makes a command
// another, judge less or take longer: a checkout that nobody has read must not decide that.
//   every command                      color, format, graphics, quiet, verbose, threads, strict
//   verify, compare, audit, report     pipeline, reading, seed, max-error, require, too
std::vector<Option> settable_options(const Command& command);

// Whether a result may depend on it, so that reports say where it came from.
bool is_of_result(const Option& option);

// "--max-error" -> "max-error", and "ROPE_CHECK_MAX_ERROR"
std::string_view key_of(const Option& option);
std::string variable_of(const Option& option);

}  // namespace rope::cli
