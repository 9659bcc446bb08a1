#include "rope/diagnose/identity/most_lines.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "rope/diagnose/search/replay.hpp"

namespace rope {
namespace {

constexpr std::size_t least_rows_of_a_line = 4;  // two are on any line
constexpr std::size_t most_skipped = 3;
constexpr int most_rounds = 8;

using RowNumbers = std::vector<std::size_t>;

double amplitude_of(Samples samples) {
    for (double& modulus : samples.modulus)
        if (modulus == 0) modulus = Samples::left_out;
    return fitted_amplitude(samples);
}

// Values that are no rotation by this amplitude left out, and rows of which most are none.
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

// Whether the row is on the lines of nearly all pairs, of those that tell where it should be.
// Slow pairs of 16 bits are nearly anywhere.
bool is_on(const Samples& samples, const std::vector<PhaseLine>& lines, std::size_t row) {
    std::size_t told = 0, on = 0;
    const double m = samples.positions[0][row];
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        const std::size_t k = row * samples.pairs + i;
        const PhaseLine& line = lines[i];
        if (Samples::is_left_out(samples.modulus[k]) || !line.is_known()) continue;
        const double unsure = 3 * (line.angle_error + line.error * std::abs(m - line.middle));
        if (unsure > 0.3) continue;
        ++told;
        const double off = within_half_a_turn(samples.angle[k] - line.offset - line.theta * m);
        const double allowed =
            4 * rounding_of(samples) + AnglePrecision{}.most * std::abs(m * line.theta);
        if (std::abs(off) <= allowed + unsure) ++on;
    }
    return 4 * told >= samples.pairs && 5 * on >= 4 * told;
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

// Lines through these rows up to the first that is wrong, then through all rows that are on those,
// as far as they tell, until no further row is.
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

MostLines lines_of_most(const Samples& samples) {
    MostLines most;
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

RowCount rows_on(const MostLines& most, const Samples& samples) {
    const Samples turning = rotations_of(samples, most.amplitude);
    return {rows_on_lines(turning, most.lines).size(), turning.rows(), samples.rows()};
}

}  // namespace rope
