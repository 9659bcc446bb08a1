#include "rope/evidence/phase_lines.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "rope/exact/elementary.hpp"
#include "rope/exact/row_sample.hpp"

namespace rope {
namespace {

constexpr double fastest = 1.2;  // radians per position; the frequencies of a Spec are at most 1
constexpr double most_turns = 1024;  // most turns between two rows that are tried

// Fits the line of one pair to rows in ascending order. Each row's angle is unwrapped with the line
// through the rows before it; the line ends at the first row that does not fit.
class LineFit {
  public:
    LineFit(const Samples& samples, const AnglePrecision& precision, std::uint32_t pair)
        : samples_(samples),
          storage_(samples.rounding_of_angles()),
          precision_(precision),
          pair_(pair) {}

    PhaseLine fit() {
        if (!is_finite(0)) return {};
        Growing start;
        start.line.rows = 1;
        if (is_determined(0))
            start.add(0, observed(0), weight(samples_.position(0, 0), start.line));
        Growing best = grown(start, 1);
        if (!best.has_slope) return {.rows = samples_.is_pair_left_out(pair_) ? best.line.rows : 0};
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
        double first = 0;  // angle at the first position
        double off = 0;    // largest distance of a row from the line

        void add(double distance, double angle, double weight) {
            if (sums.w == 0) first = angle;
            sums.add(distance, angle, weight);
        }
    };

    // The sums of the line's rows, weighted with its θ. While the line grew, θ was unknown, and the
    // first row had a weight larger than all others together.
    LineSums weighed(const Growing& grown) const {
        LineSums sums;
        for (std::size_t row = 0; row < grown.line.rows; ++row) {
            if (!is_determined(row)) continue;
            const double m = samples_.position(row, 0), distance = m - samples_.position(0, 0);
            const double expected = grown.sums.at(distance, grown.line.theta);
            sums.add(distance, near(observed(row), expected), weight(m, grown.line));
        }
        return sums;
    }

    // Extends the line from `row` on. If the rows before leave the number of turns open, every
    // number is tried, and the line with the most rows is kept.
    Growing grown(Growing now, std::size_t row) {
        const double origin = samples_.position(0, 0);
        for (; row < samples_.rows() && is_finite(row); now.line.rows = ++row) {
            if (visits_ == 0) return now;
            --visits_;
            if (!is_determined(row)) continue;
            const double m = samples_.position(row, 0), distance = m - origin;
            const double angle = observed(row);
            if (now.sums.w == 0 || distance == 0) {
                // all heads at the first position must agree
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

    // Tries every angle observed + 2πk within max(reach, steepest) of `expected`.
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
        // among many numbers of turns some fit the next one or two rows by chance
        const std::size_t enough = std::min(row + 4, samples_.rows());
        return now.has_slope && best.line.rows < enough ? now : best;
    }

    bool is_determined(std::size_t row) const {
        return !Samples::is_left_out(samples_.modulus[row * samples_.pairs + pair_]);
    }
    bool is_finite(std::size_t row) const {
        return std::isfinite(samples_.modulus[row * samples_.pairs + pair_]);
    }
    double observed(std::size_t row) const { return samples_.angle[row * samples_.pairs + pair_]; }
    static double near(double angle, double expected) {
        return expected + within_half_a_turn(angle - expected);
    }
    double turned(double m, const PhaseLine& line) const {
        return (std::abs(m) + precision_.offset) * std::abs(line.theta);
    }
    double weight(double m, const PhaseLine& line) const {
        const double sigma = storage_ / 2 + precision_.usual * turned(m, line);
        return 1 / (sigma * sigma);
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
    double storage_;  // includes the rounding of a narrower table
    AnglePrecision precision_;
    std::uint32_t pair_;
    int branches_ = 4000, visits_ = 16'000;
};

constexpr double largest = 1e5;
constexpr double furthest = 128;       // first position; a farther one permits two million turns
constexpr double coarsest = 1.0 / 16;  // largest tolerance, radians: beyond it too many numbers fit
constexpr double least_bits = 48;  // evidence of all rows: 27 bits for 2^27 numbers, and a margin

// For |x| < 2^50, in any rounding mode. Faster than std::remainder; called millions of times.
double distance_to_whole(double x) {
    const double left = std::abs(x - (x + 0x1.8p52 - 0x1.8p52));
    return std::min(left, std::abs(1 - left));
}

// The smallest float32 number ≥ x.
float float_from(double x) {
    const auto nearest = static_cast<float>(x);
    return static_cast<double>(nearest) < x ? std::nextafter(nearest, HUGE_VALF) : nearest;
}

class FloatFrequency {
  public:
    FloatFrequency(const Samples& samples, Orientation turn, std::uint32_t pair)
        : samples_(samples), turn_(turn), pair_(pair), allowed_(4 * samples.rounding_of_angles()) {
        for (std::size_t row = 0; row < samples.rows(); ++row)
            if (is_determined(row))
                said_.push_back({static_cast<float>(samples.position(row, 0)), angle(row)});
        std::ranges::reverse(said_);  // far rows exclude most numbers
    }

    std::optional<double> find() const {
        const auto row = nearest_row();
        if (!row || allowed_ > coarsest || !are_enough_rows()) return std::nullopt;
        const double position = samples_.position(*row, 0), m = std::abs(position);
        const double own = position < 0 ? -angle(*row) : angle(*row);
        const auto most = static_cast<std::int64_t>(largest * m / full_turn);
        for (std::int64_t k = 0; k <= most; ++k) {
            // float32 numbers of this size are farther apart than the tolerance, so few k remain
            const double product = own + full_turn * static_cast<double>(k);
            const auto nearest = static_cast<double>(static_cast<float>(product));
            if (std::abs(product - nearest) > allowed_) continue;
            if (const auto t = of_product(product, m)) return t;
        }
        return std::nullopt;
    }

  private:
    bool is_determined(std::size_t row) const {
        const double modulus = samples_.modulus[row * samples_.pairs + pair_];
        return std::isfinite(modulus) && !Samples::is_left_out(modulus);
    }
    double angle(std::size_t row) const {
        return oriented(turn_, samples_.angle[row * samples_.pairs + pair_]);
    }
    // The first row, by |position|, at a whole position other than 0.
    std::optional<std::size_t> nearest_row() const {
        for (std::size_t row = 0; row < samples_.rows(); ++row) {
            const double m = samples_.position(row, 0);
            if (std::abs(m) > furthest) break;
            if (m != 0 && m == std::floor(m) && is_determined(row)) return row;
        }
        return std::nullopt;
    }
    bool are_enough_rows() const {
        double bits = 0, last = 0;
        for (std::size_t row = 0; row < samples_.rows(); ++row) {
            const double m = samples_.position(row, 0);
            if (is_determined(row) && m != last)
                bits += portable::log(std::numbers::pi / allowed_) / std::numbers::ln2;
            last = m;
        }
        return bits >= least_bits;
    }
    // The float32 number t with |fl32(m·t) − product| ≤ the tolerance.
    std::optional<double> of_product(double product, double m) const {
        const double reach = allowed_ + 0x1p-23 * product;
        const double last = std::min((product + reach) / m, largest);
        const double first = std::max((product - reach) / m, std::numbers::pi);
        for (float t = float_from(first); static_cast<double>(t) <= last;
             t = std::nextafter(t, HUGE_VALF))
            if (is_everywhere(t)) return static_cast<double>(t);
        return std::nullopt;
    }
    bool is_everywhere(float t) const {
        return std::ranges::all_of(said_, [&](const Row& row) {
            const double product = static_cast<double>(row.position * t);
            const double off = full_turn * distance_to_whole((row.angle - product) / full_turn);
            return off <= allowed_ + 0x1p-50 * std::abs(product);
        });
    }

    struct Row {
        float position;
        double angle;
    };

    const Samples& samples_;
    Orientation turn_;
    std::uint32_t pair_;
    double allowed_;
    std::vector<Row> said_ = {};
};

// Adds lines of one pair, or of two of 32 or more, that rotates by more than π per position.
void add_fast_entries(const Samples& samples, Orientation turn, PhaseLines& lines) {
    const auto is_whole = [&](const PhaseLine& line) { return line.rows == samples.rows(); };
    const auto whole = static_cast<std::size_t>(std::ranges::count_if(lines, is_whole));
    const std::size_t odd = lines.size() - whole, most = lines.size() >= 32 ? 2 : 1;
    if (lines.size() < 4 || odd == 0 || odd > most) return;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        if (is_whole(lines[i])) continue;
        const auto theta = float_frequency(samples, turn, i);
        if (!theta) continue;
        const double last = std::max(1.0, std::abs(samples.positions[0].back()));
        lines[i] = {.theta = *theta,
                    .error = std::max(samples.storage / last, 0x1p-26 * *theta),
                    .middle = last / 2,
                    .angle_error = samples.storage,
                    .rows = samples.rows()};
    }
}

// The greatest common divisor of all distances of positions; 1 if one is not whole.
double stride_of(const std::vector<double>& positions) {
    std::uint64_t common = 0;
    for (const double position : positions) {
        const double distance = std::abs(position - positions[0]);
        if (distance != std::floor(distance)) return 1;
        common = std::gcd(common, static_cast<std::uint64_t>(distance));
    }
    return std::max(1.0, static_cast<double>(common));
}

}  // namespace

std::optional<double> float_frequency(const Samples& samples, Orientation turn,
                                      std::uint32_t pair) {
    if (samples.positions.size() > 1) return std::nullopt;
    return FloatFrequency(samples, turn, pair).find();
}

PhaseLines nearest_to(const std::vector<double>& theta, PhaseLines lines) {
    for (std::size_t i = 0; i < std::min(lines.size(), theta.size()); ++i) {
        PhaseLine& line = lines[i];
        if (line.modulo == 0 || !line.is_known()) continue;
        const double turns = std::round((theta[i] - line.theta) / line.modulo);
        if (!std::isfinite(turns)) continue;
        line.theta += turns * line.modulo;
        line.offset -= turns * line.modulo * line.first;
    }
    return lines;
}

PhaseLines through_zero(const PhaseLines& lines) {
    PhaseLines exact = lines;
    for (PhaseLine& line : exact) {
        if (!line.is_known() || line.theta == 0 || !(line.middle * line.error < 0.5)) continue;
        // offset = −(error of θ)·middle, up to whole turns
        const double off = std::remainder(line.offset, full_turn) / line.middle;
        if (!(std::abs(off) < 6 * line.error)) return {};
        line.theta += off;
        line.offset = 0;
        line.error = std::max(line.angle_error / line.middle, 0x1p-24 * std::abs(line.theta));
    }
    return exact;
}

PhaseLines fit_phase_lines(const Samples& samples, const AnglePrecision& precision) {
    PhaseLines lines;
    if (samples.positions.size() > 1 || samples.rows() < 2) return lines;
    const double stride = stride_of(samples.positions[0]);
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        lines.push_back(LineFit(samples, precision, i).fit());
        lines.back().first = samples.positions[0][0];
        if (stride > 1) lines.back().modulo = full_turn / stride;
        if (!samples.inv_freq.empty()) lines.back().number = samples.inv_freq[i];
    }
    const bool any = std::any_of(lines.begin(), lines.end(),
                                 [](const PhaseLine& line) { return line.is_known(); });
    return any ? lines : PhaseLines{};
}

PhaseLines oriented(PhaseLines lines, Orientation turn, const Samples& samples) {
    for (PhaseLine& line : lines) {
        if (!line.is_known()) continue;
        line.offset = oriented(turn, line.offset);
        if (is_reversed(turn)) line.theta = -line.theta;
    }
    if (samples.positions.size() == 1) add_fast_entries(samples, turn, lines);
    return lines;
}

}  // namespace rope
