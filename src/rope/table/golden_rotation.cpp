#include "rope/table/golden_rotation.hpp"

#include <algorithm>
#include <cmath>

#include "rope/exact/phase.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/number/codec.hpp"
#include "rope/spec/lanes.hpp"

namespace rope {

GoldenRotation::GoldenRotation(const Spec& spec, const TruthRows& truth, const BigReal& amplitude,
                               Format format)
    : spec_(spec),
      truth_(truth),
      real_amplitude_(amplitude),
      amplitude_(amplitude.to_double()),
      format_(format) {}

std::vector<double> GoldenRotation::apply(const std::vector<std::uint64_t>& positions,
                                          const std::vector<double>& x) const {
    std::vector<double> y(x);
    for (std::size_t r = 0; r < positions.size(); r += tile_rows)
        apply_tile(std::span(positions).subspan(r, std::min(tile_rows, positions.size() - r)),
                   &x[r * spec_.head_dim], &y[r * spec_.head_dim]);
    return y;
}

void GoldenRotation::apply_tile(std::span<const std::uint64_t> positions, const double* x,
                                double* y) const {
    const std::size_t pairs = spec_.pairs();
    std::vector<double> cos(positions.size() * pairs), sin(cos.size());
    truth_.exact().fill(positions, cos.data(), sin.data());
    for (std::size_t k = 0; k < cos.size(); ++k) {
        const std::size_t row = k / pairs * spec_.head_dim;
        const Lanes from = lanes_of_pair(spec_, k % pairs);
        const Lanes to = written_lanes_of_pair(spec_, k % pairs);
        const double x1 = x[row + from.first], x2 = x[row + from.second];
        const auto turn = [&](double a, double b, double& lane) {
            if (!round_safely(a, b, cos[k], sin[k], lane))
                lane = decide(a, b, positions[k / pairs], k % pairs);
        };
        turn(x1, -x2, y[row + to.first]);
        turn(x2, x1, y[row + to.second]);
    }
}

// amplitude·(a·cos + b·sin) where both ends of its error interval round alike (Ziv's test).
bool GoldenRotation::round_safely(double a, double b, double cos, double sin, double& to) const {
    const double value = amplitude_ * (a * cos + b * sin);
    // cos and sin are off by cos_sin_error, the five roundings by 2^-53 of a part each
    const double error = 2 * cos_sin_error * std::abs(amplitude_) * (std::abs(a) + std::abs(b));
    to = round_to(format_, value);
    return rounds_alike(value, error, [&](double x) { return round_to(format_, x); });
}

// The same with 384 bits: what is that near to a tie is one.
double GoldenRotation::decide(double a, double b, std::uint64_t position, std::size_t pair) const {
    const BigReal angle = truth_.angle(position, pair);
    BigReal cos(0, angle.precision()), sin(0, angle.precision());
    mpfr_sin_cos(sin.raw(), cos.raw(), angle.raw(), MPFR_RNDN);
    return round_to(format_, (cos * a + sin * b) * real_amplitude_);
}

}  // namespace rope
