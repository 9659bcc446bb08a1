#include "rope/diagnose/evidence/phase_lines.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/subject/row_source.hpp"

namespace rope {
namespace {

constexpr double full_turn = 2 * std::numbers::pi;

// Weighted least squares as points come in; distances from the first.
struct Sums {
    double w = 0, x = 0, xx = 0, y = 0, xy = 0, yy = 0;

    void add(double distance, double angle, double weight) {
        w += weight;
        x += weight * distance;
        xx += weight * distance * distance;
        y += weight * angle;
        xy += weight * distance * angle;
    }
    double spread() const { return w * xx - x * x; }
    double slope() const { return (w * xy - x * y) / spread(); }
    double at(double distance, double slope_now) const {
        return (y - slope_now * x) / w + slope_now * distance;
    }
};

class LineFit {
  public:
    LineFit(const Samples& samples, Orientation turn, std::uint32_t pair)
        : samples_(samples),
          storage_(samples.storage + (samples.narrow ? half_spacing(*samples.narrow, 1) : 0)),
          turn_(turn),
          pair_(pair) {}

    PhaseLine fit() const {
        Sums sums;
        PhaseLine line;
        const double first = samples_.position(0, 0);
        double gap = 0;
        for (std::size_t row = 0; row < samples_.rows(); ++row) {
            const double m = samples_.position(row, 0), distance = m - first;
            if (!is_finite(row)) break;
            const double angle = observed(row);
            if (distance == 0) {
                // heads that share the first position agree, or nothing does
                if (row > 0 && !agrees(angle, observed(0), m, line)) break;
                sums.add(0, row == 0 ? angle : near(angle, observed(0)), weight(m, line));
            } else if (gap == 0) {
                gap = distance;
                const double turn = near(angle - observed(0), 0);
                line.theta = turn / distance;
                sums.add(distance, observed(0) + turn, weight(m, line));
            } else {
                const double expected = sums.at(distance, line.theta);
                if (uncertainty(sums, distance) * 3 > std::numbers::pi / 2) break;
                if (!agrees(angle, expected, m, line)) break;
                sums.add(distance, near(angle, expected), weight(m, line));
                line.theta = sums.slope();
            }
            line.rows = row + 1;
        }
        if (gap == 0) return {};
        line.offset = sums.at(-first, line.theta);
        line.error = std::sqrt(sums.w / sums.spread());
        return line;
    }

  private:
    bool is_finite(std::size_t row) const {
        return std::isfinite(samples_.modulus[row * samples_.pairs + pair_]);
    }
    double observed(std::size_t row) const {
        return oriented(turn_, samples_.angle[row * samples_.pairs + pair_]);
    }
    static double near(double angle, double expected) {
        return expected + std::remainder(angle - expected, full_turn);
    }
    double sigma(double m, const PhaseLine& line) const {
        return storage_ / 2 + 2 * 0x1p-24 * std::abs(m * line.theta);
    }
    double weight(double m, const PhaseLine& line) const {
        const double s = sigma(m, line);
        return 1 / (s * s);
    }
    static double uncertainty(const Sums& sums, double distance) {
        const double spread = sums.spread();
        return spread > 0 ? std::sqrt(sums.w / spread) * distance : std::numbers::pi;
    }
    bool agrees(double angle, double expected, double m, const PhaseLine& line) const {
        const double allowed = 4 * storage_ + largest_sound_k * 0x1p-24 * std::abs(m * line.theta);
        return std::abs(std::remainder(angle - expected, full_turn)) <= allowed;
    }

    const Samples& samples_;
    double storage_;  // including that of a table that was also rounded
    Orientation turn_;
    std::uint32_t pair_;
};

}  // namespace

std::vector<PhaseLine> fit_phase_lines(const Samples& samples, Orientation turn) {
    std::vector<PhaseLine> lines;
    if (samples.positions.size() > 1 || samples.rows() < 2) return lines;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        lines.push_back(LineFit(samples, turn, i).fit());
        if (lines.back().rows == 0) return {};
    }
    return lines;
}

}  // namespace rope
