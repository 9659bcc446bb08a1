#include <algorithm>
#include <cmath>

#include "rope/diagnose/candidate/candidates.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {

void set_base(Spec& spec, double base) { spec.rope_theta = base; }
void set_factor(Spec& spec, double factor) { spec.scaling.factor = factor; }

// Σ w·(ln θ_i − ln own_i)·∂ln θ_i/∂ln x = 0
std::optional<Estimate> refined(const Spec& asked, void (*set)(Spec&, double),
                                const std::vector<PhaseLine>& lines, double x) {
    constexpr double step = 1e-6;
    double curvature = 0;
    for (int round = 0; round < 8; ++round) {
        if (!(x > 1 && x < 1e30)) return std::nullopt;
        Spec here = asked, there = asked;
        set(here, x);
        set(there, x * portable::exp(step));
        const std::vector<double> theta = frequencies_of(here).theta;
        const std::vector<double> moved = frequencies_of(there).theta;
        double gradient = 0;
        curvature = 0;
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (!lines[i].is_of_a_law() || theta[i] <= 0) continue;
            const double slope = (portable::log(moved[i]) - portable::log(theta[i])) / step;
            const double residual = portable::log(lines[i].theta) - portable::log(theta[i]);
            const double weight = lines[i].weight();
            gradient += weight * slope * residual;
            curvature += weight * slope * slope;
        }
        if (!(curvature > 0)) return std::nullopt;
        const double change = std::clamp(gradient / curvature, -8.0, 8.0);
        x *= portable::exp(change);
        if (std::abs(change) < 1e-10) break;
    }
    return Estimate{x, 1 / std::sqrt(curvature)};
}

}  // namespace rope
