// The ledger as a list, and its claims derived: what `claims` prints.
#pragma once

#include <span>

#include "io/text/document.hpp"
#include "rope/claims/ledger.hpp"

namespace rope::io {

// Every claim with its status and section; nothing is computed. Its Markdown is docs/claims.md.
Document claims_document(std::span<const ledger::Claim> claims);
// Derived step by step.
Document claims_document(std::span<const ledger::DerivedClaim> claims);

}  // namespace rope::io
