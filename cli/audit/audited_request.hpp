// The request that the options of `audit` make.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "io/audit/request.hpp"

namespace rope::cli {

// --context, --positions, --contiguous, --offset, --raw, --backward, and audited_groups.hpp.
std::vector<Option> request_options();

// Throws InputError.
io::Request request_of(const Spec& spec, const Arguments& arguments);

}  // namespace rope::cli
