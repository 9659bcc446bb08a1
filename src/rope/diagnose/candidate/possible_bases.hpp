// The bases that a dump's phase lines allow, whatever the scaling.
#pragma once

#include <vector>

#include "rope/diagnose/candidate/candidates.hpp"

namespace rope {

// What all pairs follow, or the fastest, which no scaling by parts changes, or the slowest, which
// it divides by one factor; under longrope also of the lines without its lists.
std::vector<PowerLaw> laws_of_parts(const Spec& asked, const std::vector<PhaseLine>& lines);

// Other bases than the asked that such laws allow, or that ntk would multiply to theirs; of a law
// that is only loosely known, the usual ones.
std::vector<Estimate> possible_bases(const Spec& asked, const std::vector<PowerLaw>& laws);

}  // namespace rope
