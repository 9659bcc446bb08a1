#include <algorithm>
#include <cmath>

#include "rope/diagnose/identify.hpp"

namespace rope {
namespace {

constexpr std::size_t least_rows_of_a_line = 4;  // two rows lie on any line
constexpr std::size_t most_skipped = 3;
constexpr int most_rounds = 8;
constexpr std::uint64_t most_rows_of_swaps = 8192;

using RowNumbers = std::vector<std::size_t>;

double amplitude_of(Samples samples) {
    for (double& modulus : samples.modulus)
        if (modulus == 0) modulus = Samples::left_out;
    return fitted_amplitude(samples).value;
}

void leave_out(Samples& samples, std::size_t row) {
    std::fill_n(samples.modulus.begin() + static_cast<std::ptrdiff_t>(row * samples.pairs),
                samples.pairs, Samples::left_out);
}

// Values that are no rotation by this amplitude left out, and rows of which most are none.
Samples rotations_of(Samples samples, double amplitude) {
    const double allowed = 2.5 * samples.rounding();
    for (std::size_t row = 0; row < samples.rows(); ++row) {
        std::size_t determined = 0, right = 0;
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            double& modulus = samples.modulus[row * samples.pairs + i];
            if (Samples::is_left_out(modulus)) continue;
            ++determined;
            if (std::abs(modulus / amplitude - 1) <= allowed)
                ++right;
            else
                modulus = Samples::left_out;
        }
        if (2 * right <= determined) leave_out(samples, row);
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

// Whether a row is on a pair's line of an axis; none if it does not determine that, as slow pairs
// of 16 bits, which are nearly anywhere.
std::optional<bool> is_on(const Samples& samples, const PhaseLine& line, double most_off,
                          std::size_t row, std::uint32_t pair, std::uint32_t axis) {
    const std::size_t k = row * samples.pairs + pair;
    if (Samples::is_left_out(samples.modulus[k]) || !line.is_known()) return std::nullopt;
    const double m = samples.position(row, axis);
    const double unsure = 3 * (line.angle_error + line.error * std::abs(m - line.middle));
    if (unsure > 0.3) return std::nullopt;
    const double off = within_half_a_turn(samples.angle[k] - line.offset - line.theta * m);
    const double allowed = 4 * samples.rounding() + most_off * std::abs(m * line.theta);
    return std::abs(off) <= allowed + unsure;
}

// The share of the rows that are off a pair's line of an axis; 1 if it has none.
double share_off(const Samples& samples, const PhaseLine& line, double most_off, std::uint32_t pair,
                 std::uint32_t axis) {
    double off = line.is_known() ? 0 : 1, determined = off;
    for (std::size_t row = 0; row < samples.rows(); ++row)
        if (const auto on = is_on(samples, line, most_off, row, pair, axis)) {
            ++determined;
            off += *on ? 0 : 1;
        }
    return determined > 0 ? off / determined : 0;
}

// Each pair on the axis that it follows best.
MajorityLines lines_through(const Samples& samples, const RowNumbers& rows,
                            const AnglePrecision& precision) {
    const Samples some = these_rows_of(samples, rows);
    MajorityLines most;
    most.most_off = precision.most;
    most.on_axes = fit_lines_on_each_axis(some, precision);
    most.rows = rows.size();
    if (std::ranges::all_of(most.on_axes, &PhaseLines::empty, &LinesOfRows::lines)) return most;
    for (std::uint32_t i = 0; i < samples.pairs; ++i) {
        std::vector<double> off;
        for (std::uint32_t a = 0; a < most.on_axes.size(); ++a) {
            const PhaseLines& lines = most.on_axes[a].lines;
            off.push_back(lines.empty() ? 1 : share_off(some, lines[i], most.most_off, i, a));
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

// The pairs that determine whether a row is on their lines, and those on which it is.
struct PairsOfRow {
    std::size_t determined = 0, right = 0;
};

PairsOfRow pairs_of_row(const Samples& samples, const MajorityLines& most, std::size_t row) {
    PairsOfRow pairs;
    for (std::uint32_t i = 0; i < samples.pairs; ++i)
        if (const auto on = is_on(samples, most.lines[i], most.most_off, row, i, most.axis[i])) {
            ++pairs.determined;
            pairs.right += *on ? 1 : 0;
        }
    return pairs;
}

// The rows with `is_so` pairs.
template <class IsSo>
RowNumbers rows_with(const Samples& samples, const MajorityLines& most, const IsSo& is_so) {
    RowNumbers rows;
    for (std::size_t row = 0; row < samples.rows() && !most.lines.empty(); ++row)
        if (is_so(pairs_of_row(samples, most, row))) rows.push_back(row);
    return rows;
}

RowNumbers rows_on(const Samples& samples, const MajorityLines& most) {
    return rows_with(samples, most, [&](const PairsOfRow& pairs) {
        return 4 * pairs.determined >= samples.pairs && 5 * pairs.right >= 4 * pairs.determined;
    });
}

// The rows on which two pairs or more are off their lines.
RowNumbers rows_off(const Samples& samples, const MajorityLines& most) {
    return rows_with(samples, most,
                     [](const PairsOfRow& pairs) { return pairs.determined > pairs.right + 1; });
}

// Lines through these rows up to the first that is wrong, then through all rows that are on those,
// if they determine it, until no further row is.
MajorityLines grown_from(const Samples& samples, RowNumbers rows, const AnglePrecision& precision) {
    MajorityLines most;
    for (int round = 0; round < most_rounds; ++round) {
        MajorityLines lines = lines_through(samples, rows, precision);
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

MajorityLines fit_majority_lines(const Samples& samples, const AnglePrecision& precision) {
    const Samples turning = rotations_of(samples, amplitude_of(samples));
    const RowNumbers all = said_rows(turning);
    MajorityLines best;
    auto first = all.begin();
    // the rows of one of the first positions may be wrong
    for (std::size_t skipped = 0; skipped <= most_skipped && best.rows < all.size(); ++skipped) {
        RowNumbers rest(first, all.end());
        if (rest.size() < least_rows_of_a_line) break;
        first = std::ranges::find_if_not(first, all.end(), [&](std::size_t row) {
            return std::ranges::all_of(turning.positions, [&](const std::vector<double>& axis) {
                return axis[row] == axis[rest.front()];
            });
        });
        MajorityLines most = grown_from(turning, std::move(rest), precision);
        if (most.rows > best.rows) best = std::move(most);
    }
    best.count = {rows_on(turning, best).size(), all.size(), samples.rows()};
    for (std::uint32_t i = 0; i < samples.pairs; ++i)
        best.is_determined.push_back(!samples.is_pair_left_out(i));
    return best;
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> swapped_rows(const DumpView& view,
                                                                    const DumpPart& part) {
    const Samples& samples = view.samples;
    const std::uint64_t length = part.rows.length();
    if (samples.positions.size() > 1 || length > most_rows_of_swaps) return std::nullopt;
    DumpPart first = part;
    first.sampled.clear();
    for (std::uint64_t index = 0; index < length; ++index)
        first.sampled.push_back(part.rows.row(part.groups.front(), index));
    const Samples group = samples_of(view, first);
    if (group.pairs != samples.pairs) return std::nullopt;  // a table of another width
    for (const AnglePrecision& precision : {AnglePrecision{}, narrow_angles[0], narrow_angles[1]}) {
        const MajorityLines most = fit_majority_lines(samples, precision);
        const RowNumbers odd = rows_off(group, most);
        if (odd.size() != 2) continue;
        Samples exchanged = group;
        std::swap(exchanged.positions[0][odd[0]], exchanged.positions[0][odd[1]]);
        if (rows_off(exchanged, most).empty())
            return std::pair{part.rows.index_of(group.dump_row[odd[0]]),
                             part.rows.index_of(group.dump_row[odd[1]])};
    }
    return std::nullopt;
}

}  // namespace rope
