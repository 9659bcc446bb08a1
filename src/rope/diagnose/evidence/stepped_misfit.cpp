#include "rope/diagnose/evidence/stepped_misfit.hpp"

#include <algorithm>
#include <cmath>

#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double most_steps = 1 << 21;

// fl32 of x and the numbers next to it
float neighbour(double x, int steps) {
    auto value = static_cast<float>(x);
    for (; steps > 0; --steps) value = std::nextafter(value, HUGE_VALF);
    for (; steps < 0; ++steps) value = std::nextafter(value, -HUGE_VALF);
    return value;
}

// One pair's angle at positions that ascend from call to call.
class SteppedAngle {
  public:
    SteppedAngle(const Hypothesis& hypothesis, std::uint32_t pair, int steps)
        : accumulated_(hypothesis.rounding.method == Rounding::Method::accumulated), pair_(pair) {
        const std::vector<double>& theta = hypothesis.theta;
        const double scale = theta.size() > 1 ? theta[1] / theta[0] : 1;
        step_ = neighbour(accumulated_ ? theta[pair] : scale, steps);
        divisor_ = static_cast<float>(portable::pow(scale, pair) / theta[pair]);
    }

    double at(double m) {
        if (!accumulated_) return recurrent(m);
        for (; m_ < m; ++m_) angle_ += step_;
        return static_cast<double>(angle_);
    }

  private:
    // θ ← θ·scale from pair to pair, starting from the position; then this pair's other divisors
    double recurrent(double m) const {
        auto theta = static_cast<float>(m);
        for (std::uint32_t i = 0; i < pair_; ++i) theta *= step_;
        return static_cast<double>(theta / divisor_);
    }

    bool accumulated_;  // angle ← angle + θ from position to position
    std::uint32_t pair_;
    float step_ = 0, divisor_ = 1, angle_ = 0;
    double m_ = 0;
};

double stepped_misfit_of_pair(const Samples& samples, const Hypothesis& hypothesis, double limit,
                              std::uint32_t i, int steps) {
    const std::uint32_t axis = hypothesis.axis[i];
    // every rounding is replayed but those of another scaling and of a library's cosine
    Hypothesis replayed = hypothesis;
    replayed.angle_k[i] = std::min(hypothesis.angle_k[i], 8.0);
    SteppedAngle stepped(hypothesis, i, steps);
    double worst = 0;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const std::size_t k = row * samples.pairs + i;
        if (Samples::is_left_out(samples.modulus[k])) continue;
        const double m = samples.position(row, axis);
        const double error =
            sample_distance(samples.modulus[k] / hypothesis.amplitude,
                            oriented(hypothesis.turn, samples.angle[k]), stepped.at(m)) /
            sample_allowance(samples, replayed, m, i);
        if (!(error <= limit)) return HUGE_VAL;
        worst = std::max(worst, error);
    }
    return worst;
}

// Each sum is rounded: |s_m − mθ| ≤ 2^-24·Σ s_k ≤ 2^-24·m²θ for m up to 2^21, half of it and what
// follows from the errors before; θ may be one unit of 2^-23 off. A slow pair that is elsewhere
// saves the steps.
bool may_be_sums(const Samples& samples, const Hypothesis& hypothesis) {
    const auto slowest = static_cast<std::uint32_t>(
        std::ranges::min_element(hypothesis.theta, {},
                                 [](double theta) { return std::abs(theta); }) -
        hypothesis.theta.begin());
    const double theta = hypothesis.theta[slowest];
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const std::size_t k = row * samples.pairs + slowest;
        const double m = samples.position(row, hypothesis.axis[slowest]);
        if (Samples::is_left_out(samples.modulus[k])) continue;
        const double off = sample_distance(samples.modulus[k] / hypothesis.amplitude,
                                           oriented(hypothesis.turn, samples.angle[k]), m * theta);
        const double rounded = (m + 4) * 0x1p-24 * m * std::abs(theta);
        if (!(off <= rounded + sample_allowance(samples, hypothesis, m, slowest))) return false;
    }
    return true;
}

// Rows are in an order outward from 0, and each axis has its own; sums begin at 0.
bool may_be_stepped(const Samples& samples, double least) {
    return std::ranges::all_of(samples.positions, [&](const std::vector<double>& axis) {
        return std::ranges::all_of(axis, [&](double m) { return m >= least && m <= most_steps; });
    });
}

}  // namespace

double stepped_misfit(const Samples& samples, const Hypothesis& hypothesis, double limit) {
    const bool sums = hypothesis.rounding.method == Rounding::Method::accumulated;
    if (!may_be_stepped(samples, sums ? 0 : -HUGE_VAL)) return HUGE_VAL;
    if (sums && limit <= 1 && !may_be_sums(samples, hypothesis)) return HUGE_VAL;
    double worst = 0;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        double least = HUGE_VAL;
        for (const int steps : {0, 1, -1})
            if (!(least <= 1))
                least =
                    std::min(least, stepped_misfit_of_pair(samples, hypothesis, limit, i, steps));
        worst = std::max(worst, least);
        if (!(worst <= limit)) return HUGE_VAL;
    }
    return worst;
}

}  // namespace rope
