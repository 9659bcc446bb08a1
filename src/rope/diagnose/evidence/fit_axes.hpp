// Which position axis turns each pair, from the dump alone.
#pragma once

#include <optional>

#include "rope/diagnose/evidence/hypothesis.hpp"

namespace rope {

// The rows whose positions are one on all axes, as text is: samples on one axis.
Samples text_samples(const Samples& samples);

// The map of axes (sectioned or interleaved) that leaves every value within its allowance; where
// several do, since slow pairs hardly tell, the one with the last sections as long as can be.
std::optional<AxisMap> fit_axes(const Samples& samples, const Hypothesis& hypothesis);

}  // namespace rope
