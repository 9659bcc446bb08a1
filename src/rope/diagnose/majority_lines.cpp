#include <algorithm>
#include <cmath>
#include <optional>
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

void leave_out(Samples& samples, std::size_t row) {
    std::fill_n(samples.modulus.begin() + static_cast<std::ptrdiff_t>(row * samples.pairs),
                samples.pairs, Samples::left_out);
}

// Values that are no rotation by this amplitude left out, and rows of which most are none.
Samples rotations_of(Samples samples, double amplitude) {
    const double allowed = 2.5 * samples.rounding();
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
        if (2 * right <= said) leave_out(samples, row);
    }
    return samples;
}

RowNumbers said_rows(const Samples& samples) {
    RowNumbers rows;
    for (std::size_t row = 0; row < samples.rows(); ++row)
        if (!samples.is_row_left_out(row)) rows.push_back(row);
    return rows;
}

// All other rows left out.
Samples these_rows_of(Samples samples, const RowNumbers& rows) {
    for (std::size_t row = 0; row < samples.rows(); ++row)
        if (!std::ranges::binary_search(rows, row)) leave_out(samples, row);
    return samples;
}

// Whether a row is on a pair's line of an axis; none where it does not tell, as slow pairs of 16
// bits, which are nearly anywhere.
std::optional<bool> is_on(const Samples& samples, const PhaseLine& line, std::size_t row,
                          std::uint32_t pair, std::uint32_t axis) {
    const std::size_t k = row * samples.pairs + pair;
    if (Samples::is_left_out(samples.modulus[k]) || !line.is_known()) return std::nullopt;
    const double m = samples.position(row, axis);
    const double unsure = 3 * (line.angle_error + line.error * std::abs(m - line.middle));
    if (unsure > 0.3) return std::nullopt;
    const double off = within_half_a_turn(samples.angle[k] - line.offset - line.theta * m);
    const double allowed =
        4 * samples.rounding() + AnglePrecision{}.most * std::abs(m * line.theta);
    return std::abs(off) <= allowed + unsure;
}

// The share of the rows that are off a pair's line of an axis; 1 where it has none.
double share_off(const Samples& samples, const PhaseLine& line, std::uint32_t pair,
                 std::uint32_t axis) {
    double off = line.is_known() ? 0 : 1, determined = off;
    for (std::size_t row = 0; row < samples.rows(); ++row)
        if (const auto on = is_on(samples, line, row, pair, axis)) {
            ++determined;
            off += *on ? 0 : 1;
        }
    return determined > 0 ? off / determined : 0;
}

// Each pair on the axis that it follows best.
MajorityLines lines_through(const Samples& samples, const RowNumbers& rows) {
    const Samples some = these_rows_of(samples, rows);
    MajorityLines most;
    most.on_axes = fit_lines_on_each_axis(some);
    most.rows = rows.size();
    if (std::ranges::all_of(most.on_axes, &PhaseLines::empty, &LinesOfRows::lines)) return most;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        std::vector<double> off;
        for (std::uint32_t a = 0; a < most.on_axes.size(); ++a) {
            const PhaseLines& lines = most.on_axes[a].lines;
            off.push_back(lines.empty() ? 1 : share_off(some, lines[i], i, a));
        }
        const auto axis = static_cast<std::uint32_t>(std::ranges::min_element(off) - off.begin());
        const LinesOfRows& own = most.on_axes[axis];
        PhaseLine line = own.lines.empty() ? PhaseLine{} : own.lines[i];
        line.rows = !own.lines.empty() && own.is_straight(i) ? most.rows
                                                             : std::min(line.rows, most.rows - 1);
        most.lines.push_back(line);
        most.axis.push_back(axis);
        most.misfits.push_back(std::move(off));
    }
    return most;
}

// Whether the row is on the lines of nearly all pairs, of those that tell where it should be.
bool is_on(const Samples& samples, const MajorityLines& most, std::size_t row) {
    std::size_t determined = 0, right = 0;
    for (std::uint32_t i = 0; i < samples.pairs; ++i)
        if (const auto on = is_on(samples, most.lines[i], row, i, most.axis[i])) {
            ++determined;
            right += *on ? 1 : 0;
        }
    return 4 * determined >= samples.pairs && 5 * right >= 4 * determined;
}

RowNumbers rows_on(const Samples& samples, const MajorityLines& most) {
    RowNumbers on;
    for (std::size_t row = 0; row < samples.rows() && !most.lines.empty(); ++row)
        if (is_on(samples, most, row)) on.push_back(row);
    return on;
}

// Lines through these rows up to the first that is wrong, then through all rows that are on those,
// as far as they tell, until no further row is.
MajorityLines grown_from(const Samples& samples, RowNumbers rows) {
    MajorityLines most;
    for (int round = 0; round < most_rounds; ++round) {
        MajorityLines lines = lines_through(samples, rows);
        if (lines.lines.empty()) return most;
        RowNumbers on = rows_on(samples, lines);
        if (on.size() < least_rows_of_a_line) return {};
        most = std::move(lines);
        if (on == rows) return most;
        rows = std::move(on);
    }
    return most;
}

}  // namespace

MajorityLines fit_majority_lines(const Samples& samples) {
    const Samples turning = rotations_of(samples, amplitude_of(samples));
    const RowNumbers all = said_rows(turning);
    MajorityLines best;
    // one of the first rows may be wrong
    for (std::size_t skipped = 0; skipped <= most_skipped; ++skipped) {
        if (all.size() < skipped + least_rows_of_a_line || best.rows == all.size()) break;
        MajorityLines most =
            grown_from(turning, {all.begin() + static_cast<std::ptrdiff_t>(skipped), all.end()});
        if (most.rows > best.rows) best = std::move(most);
    }
    best.count = {rows_on(turning, best).size(), all.size(), samples.rows()};
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        bool is_said = false;
        for (std::size_t k = i; k < samples.modulus.size() && !is_said; k += samples.pairs)
            is_said = !Samples::is_left_out(samples.modulus[k]);
        best.is_said.push_back(is_said);
    }
    return best;
}

}  // namespace rope
