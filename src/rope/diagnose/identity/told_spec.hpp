// The Spec that a replay tells of a dump, and how simple it is.
#pragma once

#include <cstddef>

#include "rope/diagnose/search/replay.hpp"
#include "rope/subject/dump.hpp"

namespace rope {

// A default Spec of the dump's width.
Spec plain_spec(const Dump& dump);

// Whether a config would have it: whole, quarters or tenths. Of 16 bits any factor is one of four
// digits.
bool is_linear_factor(double x);

// What a reading or a rule says of the Spec rather than of a mistake.
Spec spec_of(const Replay& replay);
// Whether that is all of it: another layout or width of the pairs is not a mistake of a dump that
// no Spec was given for.
bool is_told(const Replay& replay);

std::size_t digits_of(double x);          // a power of two is as simple as a digit
std::size_t digits_of(const Spec& spec);  // of its base and its factors
// The simplest first; ntk makes a base of many digits of a usual one.
int rank_of_type(const Spec& spec);

}  // namespace rope
