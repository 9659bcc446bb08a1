// The ledger of statements about rotary embeddings in articles and papers.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "rope/claims/derivation.hpp"

namespace rope::ledger {

struct Work {
    std::string_view key;    // "001", "2405.14591"
    std::string_view title;  // with authors
    std::vector<Entry> entries;
};

// Returns the texts of data/claims, articles first.
std::span<const std::string_view> claims_texts();

// Returns the works parsed from these texts, whose format is
//   == KEY | TITLE             a work, followed by its entries
//   -- ID | STATUS | SECTION
//   quote: WORDS               the original words, or the place of the statement
//   claim: WORDS               the statement in our words
//   see: COMMAND
// followed by the derivation, whose lines are sentences, numbers to compute ("  LABEL = FIGURE
// UNIT"), and conclusions for ("so: ") and against ("but: ") the statement.
const std::vector<Work>& works();

// Returns the entries of all works.
std::vector<const Entry*> all_entries();

}  // namespace rope::ledger
