// Two mistakes of one replay that are one, or none.
#pragma once

#include <vector>

#include "rope/diagnose/search/replay.hpp"

namespace rope {

// Rounded frequencies are off by about as much as a common factor that is nearly 1.
bool is_within(const RoundingMistake& rounding, const Replay& replay);

// Whether positions are multiplied, or moved by what is not whole.
bool is_scaled_on(const Replay& replay);

// Whether frequencies are the asked ones times a number other than 1.
bool is_multiple(const std::vector<double>& theta, const std::vector<double>& asked);

// A scale of positions that takes other frequencies back to the asked ones.
bool undoes_itself(const Replay& replay, const std::vector<double>& asked);

// Whether mistakes of frequencies and positions cancel: every row turns by the asked angle, only by
// more arithmetic that may be as far off.
bool is_as_asked(const Replay& replay, const std::vector<double>& asked);

}  // namespace rope
