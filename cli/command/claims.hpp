// The claims that `claims` is asked for.
#pragma once

#include <vector>

#include "cli/shell/arguments.hpp"
#include "rope/claims/ledger.hpp"

namespace rope::cli {

// Returns the claims of the words, all without words. Throws InputError for an unknown one.
std::vector<const ledger::Entry*> claims_asked_for(const Arguments& arguments);

// Returns 1 if a claim is not supported.
int exit_code_of(const std::vector<ledger::Derivation>& claims);

}  // namespace rope::cli
