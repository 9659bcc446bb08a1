#include "rope/diagnose/evidence/hypothesis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "rope/diagnose/evidence/stepped_misfit.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

// How much coarser a format is, relative to the amplitude, where amplitudes are not powers of 2.
double coarseness(Format format, double amplitude) {
    if (amplitude == 1) return 1;
    return std::max(1.0, half_spacing(format, amplitude) / (amplitude * half_spacing(format, 1)));
}

// The error of storage; if a table was also rounded, half its spacing in each component, and all of
// it where it was cut, which may be what is stored.
double rounded_storage(const Samples& samples, const Rounding& rounding, double amplitude) {
    const double storage = samples.storage * coarseness(samples.format, amplitude);
    if (rounding.table == Format::float64) return storage;
    const double half = std::numbers::sqrt2 * half_spacing(rounding.table, 1) *
                        coarseness(rounding.table, amplitude);
    return rounding.cuts_table() ? std::max(storage, 2 * half) + 0x1p-22 : storage + half;
}

double sample_misfit(const Samples& samples, const Hypothesis& hypothesis, std::size_t row,
                     std::uint32_t i) {
    const std::size_t k = row * samples.pairs + i;
    if (Samples::is_left_out(samples.modulus[k])) return 0;
    const double m = hypothesis.given(samples, row, i);
    const double modulus = samples.modulus[k] / hypothesis.amplitude;
    const double angle = oriented(hypothesis.turn, samples.angle[k]);
    const ExpectedAngles expected = expected_angles(hypothesis, m, i);
    if (hypothesis.rounding.cuts_table() && modulus > 1 + 0x1p-22) return HUGE_VAL;
    double least = HUGE_VAL;
    for (std::size_t a = 0; a < expected.count; ++a) {
        if (!std::isfinite(expected.values[a])) {
            if (std::isnan(modulus)) least = 0;
            continue;
        }
        const double error = sample_distance(modulus, angle, expected.values[a]);
        if (error < least) least = error;  // NaN never is
    }
    return least / sample_allowance(samples, hypothesis, hypothesis.map_of(i)(m), i);
}

}  // namespace

double sample_distance(double modulus, double angle, double expected) {
    const double off = chord(angle - expected) * std::sqrt(modulus);
    return portable::hypot(modulus - 1, off);
}

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
        case Kind::raised:
            return std::max(m, offset);
        case Kind::wrap:
            return std::fmod(m, offset);
        case Kind::run:
            return scale * std::floor(m / scale);
        case Kind::quotient:
            return std::floor(m / scale);
        case Kind::rounded:
            return round_to(format, m);
        case Kind::signed_wrap:
            return m - offset * std::floor((m + offset / 2) / offset);
        case Kind::unsigned_wrap:
            return m - offset * std::floor(m / offset);
        case Kind::switched:
            return m >= from ? m + offset : m;
        case Kind::magnitude:
            return std::abs(m);
        case Kind::truncated:
            return std::trunc(m);
        case Kind::nearest:
            return std::nearbyint(m);
        case Kind::stopped:
            return m < from ? m : 0;
        case Kind::chunks:
            return m + offset * std::floor(m / scale);
    }
    return m;
}

}  // namespace

double PositionMap::operator()(double m) const { return mapped(*this, m + before) + after; }

double Hypothesis::given(const Samples& samples, std::size_t row, std::uint32_t pair) const {
    if (!places.empty())
        if (const auto other = places[axis[pair]].elsewhere)
            return samples.elsewhere[*other].positions[row];
    return samples.position(row, axis[pair]);
}

ExpectedAngles expected_angles(const Hypothesis& hypothesis, double m, std::uint32_t i) {
    const Rounding& r = hypothesis.rounding;
    const double theta = hypothesis.theta[i], p = hypothesis.map_of(i)(m);
    const Rounding exact{.table = r.table, .mode = r.mode};
    if (r == exact) return {{p * theta, 0, 0}, 1};
    const auto rounded = [&](Format format, double x) {
        return format == Format::float32 ? round_to(format, x) : round_to(format, x, r.mode);
    };
    ExpectedAngles angles{{}, 3};
    for (std::size_t k = 0; k < 3; ++k) {
        const double inv_freq =
            rounded(r.inv_freq, theta * (1 + (static_cast<double>(k) - 1) * 4 * 0x1p-24));
        const double position = rounded(r.position, p);
        angles.values[k] = rounded(r.product, round_to(Format::float32, inv_freq * position));
    }
    return angles;
}

double angle_k_at(const Hypothesis& hypothesis, double position, std::uint32_t pair) {
    constexpr double of_rounded_position = 4;  // its scale, its product, the angle
    constexpr double of_double = 0x1p-26;      // our own angles: a few units of 2^-53
    const double k = std::max(hypothesis.angle_k[pair], of_double);
    const PositionMap& map = hypothesis.map_of(pair);
    const bool is_scaled = map.kind == PositionMap::Kind::affine && map.scale != 1;
    if (is_scaled || position != std::floor(position)) return std::max(k, of_rounded_position);
    return std::abs(position) < 0x1p24 ? k : k + 1;
}

double stored_allowance(const Samples& samples, const Hypothesis& hypothesis) {
    return rounded_storage(samples, hypothesis.rounding, hypothesis.amplitude);
}

double angle_allowance(const Samples& samples, const Hypothesis& hypothesis, double position,
                       std::uint32_t pair) {
    if (!std::isfinite(position)) return 0;
    const double k = std::min(angle_k_at(hypothesis, position, pair), samples.largest_k);
    const double angle = std::abs(hypothesis.theta[pair] * position);
    // an angle that is reduced, to less than 8, and rounded to float32
    const double reduced = std::min(1.0, samples.largest_k) * 0x1p-22;
    return std::max(reduced, std::min(2.0, k * 0x1p-24 * angle));
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
        if (!(one <= limit)) return HUGE_VAL;
        worst = std::max(worst, one);
    }
    return worst;
}

double misfit(const Samples& samples, const Hypothesis& hypothesis, double limit,
              std::optional<std::size_t> until) {
    if (hypothesis.rounding.method != Rounding::Method::product)
        return stepped_misfit(samples, hypothesis, limit);
    double worst = 0;
    // the last row first: rows near position 0 are as every hypothesis has them
    for (std::size_t row = until.value_or(samples.rows()); row-- > 0;)
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            const double one = sample_misfit(samples, hypothesis, row, i);
            if (!(one <= limit)) return std::isnan(one) ? HUGE_VAL : one;
            worst = std::max(worst, one);
        }
    return worst;
}

}  // namespace rope
