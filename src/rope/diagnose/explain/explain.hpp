// Reports of replays that leave no value outside its allowance.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "rope/diagnose/search/search.hpp"

namespace rope {

// The largest error over its allowance that a replay leaves in every row, not in samples alone.
using WorstOfAll = std::function<double(const Replay& replay)>;

// One row of a diagnosis for each mistake of the first replay, and what else fits as well. A
// mistake that no sampled row shows is held against every row.
std::vector<Explanation> explain_replays(const std::vector<Replay>& replays,
                                         const std::vector<DumpReading>& all,
                                         const FrequencyList& list, const Spec& asked,
                                         const WorstOfAll& worst_of_all = {});

// With the mistake's own advice, or that of the table of mistakes.
Explanation explanation_of(const NamedMistake& one_mistake, double before, double after,
                           std::vector<std::string> equivalent = {});

}  // namespace rope
