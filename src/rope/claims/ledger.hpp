// The ledger: what articles and papers state about rotary embeddings, entry by entry.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rope/claims/derivation.hpp"

namespace rope::ledger {

struct Work {
    std::string_view key;    // "001", "2405.14591"
    std::string_view title;  // with its authors
    std::vector<Entry> entries;
};

// The files of data/claims, articles first.
std::span<const std::string_view> claims_texts();

// What they say.
//   == KEY | TITLE             a work, and then its entries
//   -- ID | STATUS | SECTION
//   quote: WORDS               the original words, or where the statement is from
//   claim: WORDS               the statement in our words
//   see: COMMAND
// and the derivation: a line is a sentence, "  LABEL = FIGURE UNIT" a number to compute,
// "so: " and "but: " conclusions for and against the statement.
const std::vector<Work>& works();

// An entry, and where it is from.
struct Claim {
    const Work* work;
    const Entry* entry;
};
std::vector<Claim> all_claims();

// A claim as computed now.
struct DerivedClaim {
    Claim claim;
    Derivation derivation;

    bool supported() const { return supports(derivation.steps(), claim.entry->status); }
};
DerivedClaim derived(const Claim& claim);

}  // namespace rope::ledger
