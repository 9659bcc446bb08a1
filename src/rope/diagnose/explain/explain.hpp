// What is said of replays that leave no value outside its allowance.
#pragma once

#include <string>
#include <vector>

#include "rope/diagnose/search/search.hpp"

namespace rope {

// One row of a diagnosis for each mistake of the first replay, and what else fits as well.
std::vector<Explanation> explain_replays(const std::vector<Replay>& replays,
                                         const std::vector<DumpReading>& all,
                                         const FrequencyList& list, const Spec& asked);

// With the advice that the table of mistakes has.
Explanation explanation_of(const NamedMistake& one_mistake, double before, double after,
                           std::vector<std::string> equivalent = {});

}  // namespace rope
