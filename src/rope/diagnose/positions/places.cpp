#include "rope/diagnose/positions/places.hpp"

namespace rope {
namespace {

// Where an integer type would put it. At 2^32 float32 carries few angles: as uint32 only beside
// rows for positive positions, which do not move.
std::vector<double> wrapped(double position, bool has_positive) {
    std::vector<double> places{std::fmod(position, 256), std::fmod(position, 65536)};
    if (position >= 0x1p31) places.push_back(position - 0x1p32);
    if (position < 0)
        for (const double size : {0x1p8, 0x1p16}) places.push_back(position + size);
    if (position < 0 && has_positive) places.push_back(position + 0x1p32);
    return places;
}

// Of several axes where the rows are on one.
std::optional<Places> places_by(const Samples& samples, const Hypothesis& hypothesis,
                                bool is_of_an_axis) {
    if (samples.rows() < 2) return std::nullopt;
    const auto pair = static_cast<std::uint32_t>(
        std::ranges::max_element(hypothesis.theta, {},
                                 [](double theta) { return std::abs(theta); }) -
        hypothesis.theta.begin());
    const double fastest = std::abs(hypothesis.theta[pair]);
    if (!(fastest > 0)) return std::nullopt;
    const double storage = stored_allowance(samples, hypothesis);
    const bool has_positive =
        std::ranges::any_of(samples.positions[0], [](double m) { return m > 0; });
    Places places;
    std::vector<double> likely;  // of rows that start over, or stay where the last one is
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        const double position = samples.position(row, 0);
        if (!is_of_an_axis) likely = wrapped(position, has_positive);
        const auto own = fit_position(samples, hypothesis, row, likely);
        if (!own) return std::nullopt;
        if (is_of_an_axis && std::isfinite(*own)) likely = {0, *own};
        places.should.push_back(samples.position(row, 0));
        places.stand.push_back(*own);
        double tolerance = storage / fastest;
        if (!std::isnan(*own))
            tolerance += angle_k_at(hypothesis, *own, pair) * 0x1p-24 * std::abs(*own);
        places.tolerance.push_back(1.5 * tolerance);
        places.error.push_back(storage / 2 / fastest +
                               2 * 0x1p-24 * std::abs(samples.position(row, 0)));
    }
    return places;
}

}  // namespace

std::optional<Places> places_of(const Samples& samples, const Hypothesis& hypothesis) {
    return places_by(samples, hypothesis, false);
}

std::optional<Places> places_on_axis(const Samples& samples, const std::vector<double>& ids,
                                     const std::vector<std::uint32_t>& pairs,
                                     const Hypothesis& hypothesis) {
    Hypothesis own{.theta = {}, .angle_k = {}, .axis = {}};
    own.axis.assign(pairs.size(), 0);
    own.amplitude = hypothesis.amplitude;
    own.turn = hypothesis.turn;
    own.rounding = hypothesis.rounding;
    for (const std::uint32_t pair : pairs) {
        own.theta.push_back(hypothesis.theta[pair]);
        own.angle_k.push_back(hypothesis.angle_k[pair]);
    }
    return places_by(at_places(samples, ids, pairs), own, true);
}

}  // namespace rope
