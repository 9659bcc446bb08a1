#include "rope/diagnose/evidence/hypothesis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The distance of a sample from the place that an angle gives it.
double distance(double modulus, double angle, double expected) {
    const double off = chord(angle - expected) * std::sqrt(modulus);
    return portable::hypot(modulus - 1, off);
}

// How much coarser a format is, relative to the amplitude, where amplitudes are not powers of 2.
double coarseness(Format format, double amplitude) {
    if (amplitude == 1) return 1;
    return std::max(1.0, half_spacing(format, amplitude) / (amplitude * half_spacing(format, 1)));
}

// The error of storage; if a table was also rounded, half its spacing in each component.
double rounded_storage(const Samples& samples, Format table, double amplitude) {
    const double storage = samples.storage * coarseness(samples.format, amplitude);
    return table == Format::float64 ? storage
                                    : storage + std::numbers::sqrt2 * half_spacing(table, 1) *
                                                    coarseness(table, amplitude);
}

double sample_misfit(const Samples& samples, const Hypothesis& hypothesis, std::size_t row,
                     std::uint32_t i) {
    const std::size_t k = row * samples.pairs + i;
    if (Samples::is_left_out(samples.modulus[k])) return 0;
    const double m = samples.position(row, hypothesis.axis[i]);
    const double modulus = samples.modulus[k] / hypothesis.amplitude;
    const double angle = oriented(hypothesis.turn, samples.angle[k]);
    const ExpectedAngles expected = expected_angles(hypothesis, m, i);
    double least = infinity;
    for (std::size_t a = 0; a < expected.count; ++a) {
        if (!std::isfinite(expected.values[a])) {
            if (std::isnan(modulus)) least = 0;
            continue;
        }
        const double error = distance(modulus, angle, expected.values[a]);
        if (error < least) least = error;  // NaN never is
    }
    return least / sample_allowance(samples, hypothesis, hypothesis.position(m), i);
}

// ---- angles that are stepped up in float32 ------------------------------------------------------

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
        const double error = distance(samples.modulus[k] / hypothesis.amplitude,
                                      oriented(hypothesis.turn, samples.angle[k]), stepped.at(m)) /
                             sample_allowance(samples, replayed, m, i);
        if (!(error <= limit)) return infinity;
        worst = std::max(worst, error);
    }
    return worst;
}

// The library's pow moves θ by a few units of 2^-24, and every step after it.
double stepped_misfit(const Samples& samples, const Hypothesis& hypothesis, double limit) {
    if (samples.positions[0].back() > most_steps) return infinity;
    double worst = 0;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        double least = infinity;
        for (const int steps : {0, 1, -1})
            if (!(least <= 1))
                least =
                    std::min(least, stepped_misfit_of_pair(samples, hypothesis, limit, i, steps));
        worst = std::max(worst, least);
        if (!(worst <= limit)) return infinity;
    }
    return worst;
}

}  // namespace

double oriented(Orientation turn, double angle) {
    switch (turn) {
        case Orientation::right:
            return angle;
        case Orientation::reversed:
            return -angle;
        case Orientation::swapped:
            return std::numbers::pi / 2 - angle;
        case Orientation::rotated:
            return angle - std::numbers::pi / 2;
        case Orientation::opposite:
            return angle - std::numbers::pi;
        case Orientation::mirrored:
            return std::numbers::pi - angle;
    }
    return angle;
}

namespace {

double mapped(const PositionMap& map, double m) {
    const auto& [kind, scale, offset, from, format, before, after] = map;
    switch (kind) {
        using Kind = PositionMap::Kind;
        case Kind::same:
            return m;
        case Kind::affine:
            return scale * m + offset;
        case Kind::constant:
            return offset;
        case Kind::clamp:
            return std::min(m, offset);
        case Kind::wrap:
            return std::fmod(m, offset);
        case Kind::run:
            return scale * std::floor(m / scale);
        case Kind::rounded:
            return round_to(format, m);
        case Kind::signed_wrap:
            return m - offset * std::floor((m + offset / 2) / offset);
        case Kind::switched:
            return m >= from ? m + offset : m;
        case Kind::magnitude:
            return std::abs(m);
        case Kind::truncated:
            return std::trunc(m);
        case Kind::nearest:
            return std::nearbyint(m);
    }
    return m;
}

}  // namespace

double PositionMap::operator()(double m) const { return mapped(*this, m + before) + after; }

ExpectedAngles expected_angles(const Hypothesis& hypothesis, double m, std::uint32_t i) {
    const Rounding& r = hypothesis.rounding;
    const double theta = hypothesis.theta[i], p = hypothesis.position(m);
    const Rounding exact{.table = r.table};
    if (r == exact) return {{p * theta, 0, 0}, 1};
    ExpectedAngles angles{{}, 3};
    for (std::size_t k = 0; k < 3; ++k) {
        const double inv_freq =
            round_to(r.inv_freq, theta * (1 + (static_cast<double>(k) - 1) * 4 * 0x1p-24));
        const double position = round_to(r.position, p);
        angles.values[k] = round_to(r.product, round_to(Format::float32, inv_freq * position));
    }
    return angles;
}

double angle_k_at(const Hypothesis& hypothesis, double position, std::uint32_t pair) {
    constexpr double of_rounded_position = 4;  // its scale, its product, the angle
    constexpr double of_double = 0x1p-26;      // our own angles: a few units of 2^-53
    const double k = std::max(hypothesis.angle_k[pair], of_double);
    const PositionMap& map = hypothesis.position;
    const bool is_scaled = map.kind == PositionMap::Kind::affine && map.scale != 1;
    if (is_scaled || position != std::floor(position)) return std::max(k, of_rounded_position);
    return std::abs(position) < 0x1p24 ? k : k + 1;
}

double stored_allowance(const Samples& samples, const Hypothesis& hypothesis) {
    return rounded_storage(samples, hypothesis.rounding.table, hypothesis.amplitude);
}

double angle_allowance(const Samples& samples, const Hypothesis& hypothesis, double position,
                       std::uint32_t pair) {
    if (!std::isfinite(position)) return 0;
    const double k = std::min(angle_k_at(hypothesis, position, pair), samples.largest_k);
    return std::min(2.0, k * 0x1p-24 * std::abs(hypothesis.theta[pair] * position));
}

double sample_allowance(const Samples& samples, const Hypothesis& hypothesis, double position,
                        std::uint32_t pair) {
    return angle_allowance(samples, hypothesis, position, pair) +
           stored_allowance(samples, hypothesis);
}

double pair_misfit(const Samples& samples, const Hypothesis& hypothesis, std::uint32_t pair,
                   double limit) {
    double worst = 0;
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const double one = sample_misfit(samples, hypothesis, row, pair);
        if (!(one <= limit)) return infinity;
        worst = std::max(worst, one);
    }
    return worst;
}

double misfit(const Samples& samples, const Hypothesis& hypothesis, double limit,
              std::optional<std::size_t> until) {
    if (hypothesis.rounding.method != Rounding::Method::product)
        return stepped_misfit(samples, hypothesis, limit);
    double worst = 0;
    const std::size_t rows = until.value_or(samples.rows());
    for (std::size_t row = 0; row < rows; ++row)
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            const double one = sample_misfit(samples, hypothesis, row, i);
            if (!(one <= limit)) return std::isnan(one) ? infinity : one;
            worst = std::max(worst, one);
        }
    return worst;
}

}  // namespace rope
