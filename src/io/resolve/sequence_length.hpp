// Which of the two tables a model of such a rope type uses (short_length.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "io/resolve/resolved_model.hpp"
#include "rope/spec/spec.hpp"

namespace rope::io {

// The table of a sequence of that length, if the Spec has two; `why` is seq_len's origin.
void choose_table(ResolvedSpec& resolved, std::uint64_t length, const std::string& why);

// The same for inv_freq of no known length: longrope's list that they are nearer to.
void choose_nearest_table(ResolvedSpec& resolved, const std::vector<double>& inv_freq);

// Each group of two tables as two groups, "short sequences" and "long sequences". The long ones are
// of max_position_embeddings positions (longrope) or of factor times as many (dynamic).
ResolvedModel with_both_tables(ResolvedModel model);

// The same of two models at lengths that are common to both: where one has gone over to its second
// table and the other has not, "sequences of" the latter's longest short one.
std::array<ResolvedModel, 2> with_common_tables(ResolvedModel a, ResolvedModel b);

}  // namespace rope::io
