#include "rope/fit.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace rope {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

// The rows that are enough: the first 256, and then ever sparser ones to the end.
std::vector<std::uint64_t> fitted_rows(std::uint64_t rows) {
    std::vector<std::uint64_t> chosen;
    for (std::uint64_t row = 0; row < rows; row += 1 + (row < 256 ? 0 : row / 256))
        chosen.push_back(row);
    if (rows > 0 && chosen.back() != rows - 1) chosen.push_back(rows - 1);
    return chosen;
}

// φ = offset + θ·D, D from the first point, as points come in.
struct Line {
    double weight = 0, d = 0, dd = 0, phi = 0, dphi = 0;

    void add(double distance, double angle, double error) {
        const double w = 1 / (error * error);
        weight += w;
        d += w * distance;
        dd += w * distance * distance;
        phi += w * angle;
        dphi += w * distance * angle;
    }
    std::optional<double> slope() const {
        const double spread = weight * dd - d * d;
        if (!(spread > 1e-12 * weight * dd)) return std::nullopt;
        return (weight * dphi - d * phi) / spread;
    }
    double at(double distance, double theta) const {
        return (phi - theta * d) / weight + theta * distance;
    }
};

struct Sample {
    double position, angle;
};

double fit_line(std::span<const Sample> samples, double planned, double rounding) {
    if (samples.empty()) return planned;
    Line line;
    double theta = planned;
    const double first = samples[0].position;
    for (std::size_t k = 0; k < samples.size(); ++k) {
        const double distance = samples[k].position - first;
        // with one point the plan's θ unwraps, later the line through those before
        const double expected = k == 0 ? samples[k].angle : line.at(distance, theta);
        const double turns = std::round((expected - samples[k].angle) / full_turn);
        line.add(distance, samples[k].angle + turns * full_turn,
                 rounding + 0x1p-24 * samples[k].position * std::abs(planned));
        theta = line.slope().value_or(theta);
    }
    return theta;
}

}  // namespace

Fit fit_frequencies(const FrequencyPlan& plan, const RowSource& subject) {
    const auto pairs = static_cast<std::uint32_t>(plan.pairs.size());
    const std::vector<std::uint64_t> rows = fitted_rows(subject.rows());
    Fit fit;
    double norm = 0;
    std::uint64_t finite = 0;
    for (std::uint32_t i = 0; i < pairs; ++i) {
        const auto reader = subject.read({i, 1});
        std::vector<Sample> samples;
        for (const std::uint64_t row : rows) {
            double c, s;
            reader->fill({&row, 1}, &c, &s);
            if (!std::isfinite(c) || !std::isfinite(s)) continue;
            norm += c * c + s * s;
            ++finite;
            samples.push_back({static_cast<double>(subject.position_of(row)), std::atan2(s, c)});
        }
        const double planned = plan.pairs[i].inv_freq.to_double();
        fit.inv_freq.emplace_back(fit_line(samples, planned, subject.exactness().rounding),
                                  exact_precision);
    }
    if (finite != 0 && norm > 0) fit.amplitude = std::sqrt(norm / static_cast<double>(finite));
    return fit;
}

}  // namespace rope
