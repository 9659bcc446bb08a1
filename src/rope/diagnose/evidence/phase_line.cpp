#include "rope/diagnose/evidence/phase_line.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rope/diagnose/evidence/line_sums.hpp"
#include "rope/exact/elementary.hpp"

namespace rope {
namespace {

constexpr double fastest = 1.2;      // radians per position: of a Spec 1
constexpr double most_turns = 1024;  // between two rows

class LineFit {
  public:
    LineFit(const Samples& samples, Orientation turn, const AnglePrecision& precision,
            std::uint32_t pair)
        : samples_(samples),
          storage_(samples.storage + (samples.narrow ? half_spacing(*samples.narrow, 1) : 0)),
          turn_(turn),
          precision_(precision),
          pair_(pair) {}

    PhaseLine fit() {
        if (!is_finite(0)) return {};
        Growing start;
        start.line.rows = 1;
        if (is_said(0)) start.add(0, observed(0), weight(samples_.position(0, 0), start.line));
        Growing best = grown(start, 1);
        if (!best.has_slope) return {.rows = is_left_out() ? best.line.rows : 0};
        const LineSums sums = weighed(best);
        if (sums.spread() > 0) {
            best.sums = sums;
            best.line.theta = sums.slope();
        }
        best.line.offset = best.sums.at(-samples_.position(0, 0), best.line.theta);
        best.line.error = std::sqrt(best.sums.w / best.sums.spread());
        best.line.middle = samples_.position(0, 0) + best.sums.x / best.sums.w;
        best.line.angle_error = 1 / std::sqrt(best.sums.w);
        return best.line;
    }

  private:
    // A line through the rows so far.
    struct Growing {
        LineSums sums;
        PhaseLine line;
        bool has_slope = false;
        double first = 0;  // the angle at the first position
        double off = 0;    // the largest distance of a row from it

        void add(double distance, double angle, double weight) {
            if (sums.w == 0) first = angle;
            sums.add(distance, angle, weight);
        }
    };

    // The rows on a line once more, weighted by its θ: while it grew that was not known, and the
    // first row, whose angle is rounded as all are, counted for more than all others.
    LineSums weighed(const Growing& grown) const {
        LineSums sums;
        for (std::size_t row = 0; row < grown.line.rows; ++row) {
            if (!is_said(row)) continue;
            const double m = samples_.position(row, 0), distance = m - samples_.position(0, 0);
            const double expected = grown.sums.at(distance, grown.line.theta);
            sums.add(distance, near(observed(row), expected), weight(m, grown.line));
        }
        return sums;
    }

    // From `row` on. Where the rows before it leave open how many turns lie between, every number
    // of turns is tried: the line on which most rows lie is it.
    Growing grown(Growing now, std::size_t row) {
        const double origin = samples_.position(0, 0);
        for (; row < samples_.rows() && is_finite(row); now.line.rows = ++row) {
            if (visits_ == 0) return now;
            --visits_;
            if (!is_said(row)) continue;
            const double m = samples_.position(row, 0), distance = m - origin;
            const double angle = observed(row);
            if (now.sums.w == 0 || distance == 0) {
                // heads that share the first position agree, or nothing does
                if (now.sums.w != 0 && !agrees(angle, now.first, m, now.line)) return now;
                now.add(distance, now.sums.w == 0 ? angle : near(angle, now.first),
                        weight(m, now.line));
                continue;
            }
            if (!now.has_slope) return best_branch(now, row, now.first, 0, fastest * distance);
            const double expected = now.sums.at(distance, now.line.theta);
            const double reach = 3 * uncertainty(now.sums, distance);
            if (reach > std::numbers::pi / 2) return best_branch(now, row, expected, reach, 0);
            if (!agrees(angle, expected, m, now.line)) return now;
            now.off = std::max(now.off, std::abs(near(angle, expected) - expected));
            now.sums.add(distance, near(angle, expected), weight(m, now.line));
            now.line.theta = now.sums.slope();
        }
        return now;
    }

    // The row's angle on each turn within `reach` of what is expected; the slope at most
    // `steepest`.
    Growing best_branch(const Growing& now, std::size_t row, double expected, double reach,
                        double steepest) {
        const double m = samples_.position(row, 0), distance = m - samples_.position(0, 0);
        const double middle = near(observed(row), expected);
        const double turns = std::floor(std::max(reach, steepest) / full_turn + 0.5);
        Growing best = now;
        if (turns > most_turns) return best;
        const auto most = static_cast<int>(turns);
        for (int k = -most; k <= most; ++k) {
            if (branches_ == 0) break;
            --branches_;
            Growing next = now;
            const double angle = middle + k * full_turn;
            next.sums.add(distance, angle, weight(m, now.line));
            next.line.theta = now.has_slope ? next.sums.slope() : (angle - now.first) / distance;
            next.has_slope = true;
            next.line.rows = row + 1;
            next = grown(next, row + 1);
            const bool more = next.line.rows > best.line.rows;
            const bool nearer =
                next.line.rows == best.line.rows && (!best.has_slope || next.off < best.off);
            if (more || nearer) best = next;
        }
        // of many turns some agree with the next row or two by chance
        const std::size_t enough = std::min(row + 4, samples_.rows());
        return now.has_slope && best.line.rows < enough ? now : best;
    }

    bool is_left_out() const {
        for (std::size_t row = 0; row < samples_.rows(); ++row)
            if (is_said(row)) return false;
        return true;
    }
    bool is_said(std::size_t row) const {
        return !Samples::is_left_out(samples_.modulus[row * samples_.pairs + pair_]);
    }
    bool is_finite(std::size_t row) const {
        return std::isfinite(samples_.modulus[row * samples_.pairs + pair_]);
    }
    double observed(std::size_t row) const {
        return oriented(turn_, samples_.angle[row * samples_.pairs + pair_]);
    }
    static double near(double angle, double expected) {
        return expected + within_half_a_turn(angle - expected);
    }
    double turned(double m, const PhaseLine& line) const {
        return (std::abs(m) + precision_.offset) * std::abs(line.theta);
    }
    double sigma(double m, const PhaseLine& line) const {
        return storage_ / 2 + precision_.usual * turned(m, line);
    }
    double weight(double m, const PhaseLine& line) const {
        const double s = sigma(m, line);
        return 1 / (s * s);
    }
    static double uncertainty(const LineSums& sums, double distance) {
        const double spread = sums.spread();
        return spread > 0 ? std::sqrt(sums.w / spread) * distance : std::numbers::pi;
    }
    bool agrees(double angle, double expected, double m, const PhaseLine& line) const {
        const double allowed = 4 * storage_ + precision_.most * turned(m, line);
        return std::abs(within_half_a_turn(angle - expected)) <= allowed;
    }

    const Samples& samples_;
    double storage_;  // including that of a table that was also rounded
    Orientation turn_;
    AnglePrecision precision_;
    std::uint32_t pair_;
    int branches_ = 4000, visits_ = 16'000;
};

}  // namespace

PhaseLine fit_phase_line(const Samples& samples, Orientation turn, const AnglePrecision& precision,
                         std::uint32_t pair) {
    return LineFit(samples, turn, precision, pair).fit();
}

}  // namespace rope
