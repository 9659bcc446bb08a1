// Applications that are no rotation of any pairs, replayed lane by lane.
#pragma once

#include <optional>

#include "rope/diagnose/evidence/samples.hpp"
#include "rope/report/report.hpp"

namespace rope {

// y_j = x_j·c_t + σ_j·x_p·s_t: the partner p by one layout and the table's column t by another, or
// the signs σ wrong. None where no such application gives every lane.
std::optional<Explanation> explain_lanes(const Spec& asked, const Dump& dump, double before);

}  // namespace rope
