// What else a mistake may be called.
#pragma once

#include <string>
#include <vector>

#include "rope/diagnose/explain/explain.hpp"
#include "rope/diagnose/search/replay.hpp"

namespace rope {

// A pure scale of positions is named after the Spec's scaling, if that is one and was used; a base
// of many digits after the exponent that makes it of the Spec's, if that is of whole numbers.
void rename_by_spec(NamedMistake& one_mistake, const Replay& replay, const Spec& asked);

// Of an offset that is the same in all rows.
inline constexpr std::string_view scores_unchanged = "scores unchanged if q and k share it";

// Other names of the same numbers, and mistakes that leave all scores unchanged.
std::vector<std::string> equivalents(const NamedMistake& mistake, const Spec& asked);

// Other names of one mistake under which the replays fit every row as well, beside the same others:
// of the same angles, or of some that the data cannot tell from them.
void add_other_names(std::vector<Explanation>& explanations, const std::vector<Replay>& replays,
                     const Spec& asked, const WorstOfAll& worst_of_all);

}  // namespace rope
