// Frequencies by which an unknown dump may have been made.
#pragma once

#include <array>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rope/diagnose/candidate/frequencies.hpp"

namespace rope {

// The default Spec of the dump's width, known Specs of one axis, and what its phase lines say of
// bases and scaling. Keeps no references.
std::vector<Frequencies> identity_candidates(const Spec& plain, std::span<const Spec> known,
                                             const std::vector<PhaseLine>& lines);

// The parameters of candidates of one plain Spec.
using TriedSpecs = std::set<std::pair<std::string, std::array<double, 8>>>;

enum class Factors { all, of_one_digit };  // of scaling by parts

// Of these the first two, and the rest, without those that were tried: several lists of lines have
// most in common.
std::vector<Frequencies> usual_candidates(const Spec& plain, std::span<const Spec> known,
                                          TriedSpecs& tried);
std::vector<Frequencies> fitted_candidates(const Spec& plain, const std::vector<PhaseLine>& lines,
                                           Factors factors, TriedSpecs& tried);

// The maps of known Specs by which one ladder of so many pairs follows so many axes.
std::vector<AxisMap> known_maps(std::span<const Spec> known, std::uint32_t pairs, std::size_t axes);

}  // namespace rope
