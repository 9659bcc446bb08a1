// What `claims` was asked for.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "rope/claims/ledger.hpp"

namespace rope::cli {

// The claims that the words name, all of them where none do. Throws InputError on an unknown one.
std::vector<ledger::Claim> claims_asked_for(const Arguments& arguments);

// 1 where one is not supported.
int exit_code_of(const std::vector<ledger::DerivedClaim>& claims);

}  // namespace rope::cli
