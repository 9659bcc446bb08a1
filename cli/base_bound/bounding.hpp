// What base-bound and plot-base-bound have in common.
#pragma once

#include <cstdint>

#include "cli/shell/arguments.hpp"
#include "rope/base_bound/base_bound.hpp"
#include "rope/spec/spec.hpp"

namespace rope::cli {

// The Spec whose base is to be bounded. Throws InputError where scaling or axes change what a base
// means.
Spec spec_to_bound(const Arguments& arguments);

PairCounts pairs_to_bound(const Spec& spec);

// --context, else the Spec's max_position_embeddings
std::uint64_t context_to_bound(const Arguments& arguments, const Spec& spec);

}  // namespace rope::cli
