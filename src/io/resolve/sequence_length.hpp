// Which of the two tables a model of such a rope type uses (short_length.hpp).
#pragma once

#include <cstdint>

#include "io/resolve/resolved_model.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// The table of a sequence of that length, if the Spec has two; `why` is seq_len's origin.
void choose_table(ResolvedSpec& resolved, std::uint64_t length, const std::string& why);

// Each group of two tables as two groups, "short sequences" and "long sequences". The long ones are
// of max_position_embeddings positions (longrope) or of factor times as many (dynamic).
ResolvedModel with_both_tables(ResolvedModel model);

}  // namespace rope::io
