// Frequencies by which an unknown dump may have been made.
#pragma once

#include <span>
#include <vector>

#include "rope/changes/frequencies.hpp"

namespace rope {

// The default Spec of the dump's width, known Specs of one axis, and what its phase lines say of
// bases and scaling. Keeps no references.
std::vector<Frequencies> identity_candidates(const Spec& plain, std::span<const Spec> known,
                                             const std::vector<PhaseLine>& lines);

// The maps of known Specs by which one ladder of so many pairs follows so many axes.
std::vector<AxisMap> known_maps(std::span<const Spec> known, std::uint32_t pairs, std::size_t axes);

}  // namespace rope
