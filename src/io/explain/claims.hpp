// The ledger as a list, and its claims derived: what `claims` prints.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rope/claims/ledger.hpp"

namespace rope::io {

inline constexpr std::string_view claims_schema = "rope-check-claims/1";

// The list: every claim with its status and section; nothing is computed.
std::string claims_text(std::span<const ledger::Claim> claims);
std::string claims_json(std::span<const ledger::Claim> claims, std::string_view version);
std::string claims_markdown(std::span<const ledger::Claim> claims);

// Derived step by step. A work's own claims come under its title.
std::string claims_text(std::span<const ledger::DerivedClaim> claims);
std::string claims_json(std::span<const ledger::DerivedClaim> claims, std::string_view version);
std::string claims_markdown(std::span<const ledger::DerivedClaim> claims);

// "Article 001: He & Xu, Easy Derivation …"
std::string heading(const ledger::Work& work);
// What follows from a derivation, in a sentence.
std::string verdict_sentence(const ledger::DerivedClaim& claim);

}  // namespace rope::io
