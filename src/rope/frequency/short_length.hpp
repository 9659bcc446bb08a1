// Rope types with two tables: one for short sequences, another once a sequence is longer. longrope
// switches beyond original_max_position_embeddings, dynamic beyond max_position_embeddings.
#pragma once

#include <cstdint>
#include <optional>

#include "rope/spec/spec.hpp"

namespace rope {

// The longest sequence of the short table; empty where there is one table, or seq_len picks it.
std::optional<std::uint64_t> short_length(const Spec& spec);

}  // namespace rope
