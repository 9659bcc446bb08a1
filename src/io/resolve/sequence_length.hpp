// Rope types with two tables: one for short sequences, another once a sequence is longer. longrope
// switches beyond original_max_position_embeddings, dynamic beyond max_position_embeddings.
#pragma once

#include <cstdint>
#include <optional>

#include "io/resolve/resolved_model.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// The longest sequence of the short table; empty where there is one table, or seq_len picks it.
std::optional<std::uint64_t> short_length(const Spec& spec);

// The table of a sequence of that length, if the Spec has two; `why` is seq_len's origin.
void choose_table(ResolvedSpec& resolved, std::uint64_t length, const std::string& why);

// Each group of two tables as two groups, "short sequences" and "long sequences". The long ones are
// of max_position_embeddings positions (longrope) or of factor times as many (dynamic).
ResolvedModel with_both_tables(ResolvedModel model);

}  // namespace rope::io
