// Slow pairs that do not turn as asked, as mistakes.
#pragma once

#include "rope/checks/turn_rate.hpp"
#include "rope/diagnose/diagnosis.hpp"

namespace rope {

// Of a report whose turn-rate is violated by these and nothing else is: pairs that do not rotate
// and those that rotate backwards are known mistakes, other rates are said.
Diagnosis name_odd_turns(const Report& report, const OddTurns& odd, const std::string& in_words);

}  // namespace rope
