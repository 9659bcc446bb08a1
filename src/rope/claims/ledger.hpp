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
    std::vector<std::span<const Entry>> parts;

    std::vector<const Entry*> entries() const;
};

// Articles first.
const std::vector<Work>& works();

const Work& find_work(std::string_view key);  // throws InputError naming the known ones

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

    bool supported() const { return supports(derivation, claim.entry->status); }
};
DerivedClaim derived(const Claim& claim);

}  // namespace rope::ledger
