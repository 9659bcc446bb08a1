#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/identify.hpp"
#include "rope/diagnose/search.hpp"

namespace rope {
namespace {

constexpr std::size_t least_rows_of_a_line = 4;  // two rows lie on any line
constexpr std::size_t most_skipped = 3;
constexpr int most_rounds = 8;

using RowNumbers = std::vector<std::size_t>;

double amplitude_of(Samples samples) {
    for (double& modulus : samples.modulus)
        if (modulus == 0) modulus = Samples::left_out;
    return fitted_amplitude(samples);
}

// Leaves out the values that are no rotation with this amplitude, and rows in which most are not.
Samples rotations_of(Samples samples, double amplitude) {
    const double allowed = 2.5 * rounding_of(samples);
    std::vector<double> places = samples.positions[0];
    std::vector<std::uint32_t> pairs(samples.pairs);
    std::iota(pairs.begin(), pairs.end(), 0U);
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        std::size_t said = 0, right = 0;
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            double& modulus = samples.modulus[row * samples.pairs + i];
            if (Samples::is_left_out(modulus)) continue;
            ++said;
            if (std::abs(modulus / amplitude - 1) <= allowed)
                ++right;
            else
                modulus = Samples::left_out;
        }
        if (2 * right <= said) places[row] = NAN;
    }
    return at_places(samples, places, pairs);
}

Samples rows_of(const Samples& samples, const RowNumbers& rows) {
    std::vector<double> places(samples.rows(), NAN);
    for (const std::size_t row : rows) places[row] = samples.positions[0][row];
    std::vector<std::uint32_t> pairs(samples.pairs);
    std::iota(pairs.begin(), pairs.end(), 0U);
    return at_places(samples, places, pairs);
}

// Whether the row is on the lines of at least 4/5 of the pairs whose line predicts its angle, which
// must be a quarter of all. In 16 bits, slow pairs fit almost any line.
bool is_on(const Samples& samples, const std::vector<PhaseLine>& lines, std::size_t row) {
    std::size_t determined = 0, on = 0;
    const double m = samples.positions[0][row];
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        const std::size_t k = row * samples.pairs + i;
        const PhaseLine& line = lines[i];
        if (Samples::is_left_out(samples.modulus[k]) || !line.is_known()) continue;
        const double unsure = 3 * (line.angle_error + line.error * std::abs(m - line.middle));
        if (unsure > 0.3) continue;
        ++determined;
        const double off = within_half_a_turn(samples.angle[k] - line.offset - line.theta * m);
        const double allowed =
            4 * rounding_of(samples) + AnglePrecision{}.most * std::abs(m * line.theta);
        if (std::abs(off) <= allowed + unsure) ++on;
    }
    return 4 * determined >= samples.pairs && 5 * on >= 4 * determined;
}

RowNumbers rows_on_lines(const Samples& samples, const std::vector<PhaseLine>& lines) {
    RowNumbers on;
    if (lines.empty()) return on;
    for (std::size_t row = 0; row < samples.rows(); ++row)
        if (is_on(samples, lines, row)) on.push_back(row);
    return on;
}

struct LineFit {
    std::vector<PhaseLine> lines;
    RowNumbers rows;
};

// Fits lines to the rows up to the first wrong one, then to all rows on these lines, until the rows
// no longer change.
LineFit grown_from(const Samples& samples, RowNumbers rows) {
    LineFit fit;
    for (int round = 0; round < most_rounds; ++round) {
        auto lines = fit_phase_lines(rows_of(samples, rows), Orientation::right);
        if (lines.empty()) return fit;
        RowNumbers on = rows_on_lines(samples, lines);
        fit = {std::move(lines), rows};
        if (on.size() < least_rows_of_a_line) return {};
        if (on == rows) return fit;
        rows = std::move(on);
    }
    return fit;
}

}  // namespace

double rounding_of(const Samples& samples) {
    return samples.storage + (samples.narrow ? 2 * half_spacing(*samples.narrow, 1) : 0);
}

std::vector<bool> said_pairs(const Samples& samples) {
    std::vector<bool> all;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        bool is_said = false;
        for (std::size_t k = i; k < samples.modulus.size() && !is_said; k += samples.pairs)
            is_said = !Samples::is_left_out(samples.modulus[k]);
        all.push_back(is_said);
    }
    return all;
}

MajorityLines fit_majority_lines(const Samples& samples) {
    MajorityLines most;
    if (samples.positions.size() > 1) return most;
    most.amplitude = amplitude_of(samples);
    const Samples turning = rotations_of(samples, most.amplitude);
    RowNumbers all(turning.rows());
    std::iota(all.begin(), all.end(), std::size_t{0});
    LineFit best;
    // one of the first rows may be wrong
    for (std::size_t skipped = 0; skipped <= most_skipped; ++skipped) {
        if (all.size() < skipped + least_rows_of_a_line || best.rows.size() == all.size()) break;
        LineFit fit =
            grown_from(turning, {all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end()});
        if (fit.rows.size() > best.rows.size()) best = std::move(fit);
    }
    most.lines = std::move(best.lines);
    most.rows = best.rows.size();
    most.is_said = said_pairs(samples);
    return most;
}

RowCount rows_on(const MajorityLines& most, const Samples& samples) {
    const Samples turning = rotations_of(samples, most.amplitude);
    return {rows_on_lines(turning, most.lines).size(), turning.rows(), samples.rows()};
}

namespace {

constexpr std::size_t least_determining = 4;  // least number of rows that distinguish the axes
constexpr std::size_t most_offsets = 32;
constexpr double weight_of_distance = 0.25;

}  // namespace

PairsOnAxes::PairsOnAxes(const Samples& samples, const std::vector<double>& theta,
                         const std::vector<PhaseLine>& lines)
    : samples_(samples),
      rounding_(rounding_of(samples)),
      amplitude_(fitted_amplitude(samples)),
      theta_(theta) {
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        if (i < lines.size() && lines[i].theta < 0) theta_[i] = -theta_[i];
        said_.push_back(said_rows(i));
        determining_.push_back(telling_rows(i));
        std::vector<double> misfits;
        for (std::uint32_t a = 0; a < axes_of_mrope; ++a) {
            places_.push_back(placed(i, a));
            misfits.push_back(places_.back().misfit);
        }
        misfits_.push_back(std::move(misfits));
    }
}

bool PairsOnAxes::determines(std::size_t pair) const {
    return determining_[pair].size() >= least_determining;
}

std::vector<std::size_t> PairsOnAxes::rows_on(const std::vector<std::uint32_t>& axis) const {
    std::vector<std::size_t> on;
    for (std::size_t row = 0; row < samples_.rows(); ++row) {
        std::size_t said = 0, right = 0;
        for (std::uint32_t i = 0; i < samples_.pairs; ++i) {
            if (!determines(i) || Samples::is_left_out(samples_.modulus[row * samples_.pairs + i]))
                continue;
            ++said;
            const double offset = places_[i * axes_of_mrope + axis[i]].offset;
            right += is_at(row, i, axis[i], offset, allowed(row, i)) ? 1 : 0;
        }
        if (5 * right >= 4 * said && said > 0) on.push_back(row);
    }
    return on;
}

double PairsOnAxes::allowed(std::size_t row, std::uint32_t i) const {
    double farthest = 0;
    for (std::uint32_t a = 0; a < axes_of_mrope; ++a)
        farthest = std::max(farthest, std::abs(samples_.position(row, a)));
    return 4 * rounding_ + AnglePrecision{}.most * farthest * std::abs(theta_[i]);
}

double PairsOnAxes::off(std::size_t row, std::uint32_t i, std::uint32_t a, double offset) const {
    return within_half_a_turn(samples_.angle[row * samples_.pairs + i] -
                              theta_[i] * samples_.position(row, a) - offset);
}

bool PairsOnAxes::is_at(std::size_t row, std::uint32_t i, std::uint32_t a, double offset,
                        double within) const {
    const double modulus = samples_.modulus[row * samples_.pairs + i];
    return std::abs(modulus / amplitude_ - 1) <= 2.5 * rounding_ &&
           std::abs(off(row, i, a, offset)) <= within;
}

PairsOnAxes::Rows PairsOnAxes::said_rows(std::uint32_t i) const {
    Rows rows;
    for (std::size_t row = 0; row < samples_.rows(); ++row) {
        const double modulus = samples_.modulus[row * samples_.pairs + i];
        if (std::isfinite(modulus) && !Samples::is_left_out(modulus)) rows.push_back(row);
    }
    return rows;
}

PairsOnAxes::Rows PairsOnAxes::telling_rows(std::uint32_t i) const {
    Rows rows;
    for (const std::size_t row : said_[i]) {
        double low = HUGE_VAL, high = -HUGE_VAL;
        for (std::uint32_t a = 0; a < axes_of_mrope; ++a) {
            low = std::min(low, samples_.position(row, a));
            high = std::max(high, samples_.position(row, a));
        }
        if ((high - low) * std::abs(theta_[i]) > 2 * allowed(row, i)) rows.push_back(row);
    }
    return rows;
}

// The offset that fits most of the rows that distinguish axes; of all rows if there are few of
// these.
PlaceOnAxis PairsOnAxes::placed(std::uint32_t i, std::uint32_t a) const {
    const Rows& rows = determines(i) ? determining_[i] : said_[i];
    if (rows.empty()) return {};
    const std::size_t step = (rows.size() + most_offsets - 1) / most_offsets;
    PlaceOnAxis best;
    std::size_t most = 0;
    for (std::size_t k = 0; k < rows.size(); k += step) {
        const double offset = off(rows[k], i, a, 0);
        const auto is_there = [&](std::size_t row) {
            return is_at(row, i, a, offset, allowed(row, i) + allowed(rows[k], i));
        };
        const auto count = static_cast<std::size_t>(std::ranges::count_if(rows, is_there));
        if (count <= most) continue;
        most = count;
        best.offset = offset;
    }
    best.offset += middle_of(rows, i, a, best.offset);
    const double share = 1 - static_cast<double>(most) / static_cast<double>(rows.size());
    best.misfit =
        (determines(i) ? share : 0) + weight_of_distance * distance(rows, i, a, best.offset);
    return best;
}

// The median of the rows' errors.
double PairsOnAxes::middle_of(const Rows& rows, std::uint32_t i, std::uint32_t a,
                              double offset) const {
    std::vector<double> distances;
    for (const std::size_t row : rows) distances.push_back(off(row, i, a, offset));
    return median_of(std::move(distances));
}

// The mean of the rows' errors, divided by their tolerances.
double PairsOnAxes::distance(const Rows& rows, std::uint32_t i, std::uint32_t a,
                             double offset) const {
    double sum = 0;
    for (const std::size_t row : rows)
        sum += std::min(1.0, std::abs(off(row, i, a, offset)) / allowed(row, i));
    return sum / static_cast<double>(rows.size());
}

}  // namespace rope
