// The batch entries and heads of a request.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "rope/suite/audit.hpp"

namespace rope::cli {

// --batch, --heads and --position-axes.
std::vector<Option> group_options();

// Throws InputError, also where a function of --python takes no such axis.
AuditGroups groups_of(const Arguments& arguments);

}  // namespace rope::cli
