#include "rope/comparison/fit.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "rope/exact/elementary.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {
namespace {

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

// |e^{iα} − 1| = 2|sin(α/2)|
double chord(double angle) {
    const double half = std::remainder(angle, full_turn) / (2 * full_turn);  // in turns, within ¼
    const auto turn = static_cast<std::uint64_t>(static_cast<std::int64_t>(half * 0x1p64));
    double c, s;
    kernels().cos_sin_of_turns(1, &turn, &c, &s);
    return 2 * std::abs(s);
}

struct RowSample {
    double position, angle, modulus;  // of ẑ/a
};

// Finite rows only.
std::vector<RowSample> read_samples(const Comparison& comparison, std::uint32_t pair,
                                    double amplitude, std::span<const std::uint64_t> rows) {
    const auto reader = comparison.subject.read({pair, 1});
    std::vector<RowSample> samples;
    for (const std::uint64_t row : rows) {
        double c, s;
        reader->fill({&row, 1}, &c, &s);
        if (!std::isfinite(c) || !std::isfinite(s)) continue;
        samples.push_back({comparison.subject.position_of(row, comparison.axis[pair]),
                           portable::atan2(s, c), portable::hypot(c, s) / amplitude});
    }
    return samples;
}

// √ of the mean of cos² + sin²; the plan's where rounding explains the difference.
double fit_amplitude(const Comparison& comparison, std::span<const std::uint64_t> rows) {
    double norm = 0;
    std::uint64_t count = 0;
    for (std::uint32_t i = 0; i < comparison.spec.pairs(); ++i)
        for (const RowSample& sample : read_samples(comparison, i, 1, rows)) {
            norm += sample.modulus * sample.modulus;
            ++count;
        }
    const double planned = comparison.plan.attention_factor;
    if (!(norm > 0)) return planned;
    const double own = std::sqrt(norm / static_cast<double>(count));
    return std::abs(own / planned - 1) <= comparison.storage ? planned : own;
}

// A pair's angles as φ = offset + θ·m, and by how much it misses them: the largest distance of a
// row from its place, in units of the allowance at its position.
struct FittedLine {
    double theta, offset, misfit = 0;
};

class Fitter {
  public:
    Fitter(const Comparison& comparison, std::uint32_t pair, std::span<const RowSample> samples)
        : comparison_(comparison),
          pair_(pair),
          samples_(samples),
          planned_(comparison.plan.pairs[pair].inv_freq.to_double()) {}

    double theta() const {
        FittedLine best = measured({planned_, 0});
        for (const bool by_line : {false, true})
            if (const FittedLine line = fit(by_line); line.misfit <= best.misfit) best = line;
        return best.theta;
    }

  private:
    // Least squares. Angles are unwrapped by the plan's θ, or each by the line through those
    // before it, which the plan only starts.
    FittedLine fit(bool by_line) const {
        Line line;
        double theta = planned_;
        const RowSample& first = samples_.front();
        for (const RowSample& sample : samples_) {
            const double distance = sample.position - first.position;
            const double expected = by_line && &sample != &first
                                        ? line.at(distance, theta)
                                        : first.angle + planned_ * distance;
            const double turns = std::round((expected - sample.angle) / full_turn);
            const double error = comparison_.subject.exactness().rounding +
                                 0x1p-24 * std::abs(sample.position * planned_);
            line.add(distance, sample.angle + turns * full_turn, error);
            theta = line.slope().value_or(theta);
        }
        return measured({theta, line.at(-first.position, theta)});
    }

    FittedLine measured(FittedLine line) const {
        for (const RowSample& sample : samples_) {
            const double angle = sample.angle - line.offset - line.theta * sample.position;
            const double distance =
                portable::hypot(sample.modulus - 1, std::sqrt(sample.modulus) * chord(angle));
            line.misfit =
                std::max(line.misfit, distance / comparison_.allowance(sample.position, pair_));
        }
        return line;
    }

    const Comparison& comparison_;
    std::uint32_t pair_;
    std::span<const RowSample> samples_;
    double planned_;
};

}  // namespace

Fit fit_frequencies(const Comparison& comparison) {
    const std::vector<std::uint64_t> rows = fitted_rows(comparison.subject.rows());
    Fit fit{{}, fit_amplitude(comparison, rows)};
    for (std::uint32_t i = 0; i < comparison.spec.pairs(); ++i) {
        const std::vector<RowSample> samples = read_samples(comparison, i, fit.amplitude, rows);
        if (samples.empty())
            fit.inv_freq.push_back(comparison.plan.pairs[i].inv_freq);
        else
            fit.inv_freq.emplace_back(Fitter(comparison, i, samples).theta(), exact_precision);
    }
    return fit;
}

}  // namespace rope
