// The output of `claims`: the list of claims, or their derivations.
#pragma once

#include <span>

#include "io/text/document.hpp"
#include "rope/claims/ledger.hpp"

namespace rope::io {

// Returns every claim with its status and section, without computing any; the Markdown is
// docs/claims.md.
Document claims_document(std::span<const ledger::Entry* const> claims);
// Returns the derivations of claims, step by step.
Document claims_document(std::span<const ledger::Derivation> claims);

}  // namespace rope::io
