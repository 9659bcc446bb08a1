// Long-range decay: He & Xu's r̂ with q = k = 1, and RoFormer's Abel bound.
#pragma once

#include <cstdint>
#include <vector>

#include "rope/frequency.hpp"

namespace rope {

// Index s is the distance, 0 … last.
struct DecayCurves {
    std::vector<double> mean_cos;  // B̂(s) = (2/d) Σ_i cos(sθ_i), error < 2^-48
    std::vector<double> roformer;  // A(s) = (2/d) Σ_j |Σ_{i<j} e^{isθ_i}|   (RoFormer §3.4.3)
};
DecayCurves decay_curves(const FrequencyPlan& plan, std::uint64_t last);

}  // namespace rope
