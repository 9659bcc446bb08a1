// Two rows at each other's position, by the lines of the others.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/decimal.hpp"
#include "rope/diagnose/candidate/frequencies.hpp"
#include "rope/diagnose/reading/reading.hpp"
#include "rope/evidence/phase_lines.hpp"

namespace rope {
namespace {

constexpr std::uint64_t most_rows = 8192;
constexpr double off_line = 0.05;  // radians

// Lines through the sampled rows, by a precision of angles.
struct Lines {
    std::vector<PhaseLine> of_pair;
    double precision;

    // Whether two pairs are off them, as if row `row` of the samples were for position m. Lines
    // that a few rows tell say nothing of far ones.
    bool are_left(const Samples& samples, std::size_t row, double m) const {
        int off = 0;
        for (std::uint32_t i = 0; i < samples.pairs; ++i) {
            const PhaseLine& line = of_pair[i];
            const double modulus = samples.modulus[row * samples.pairs + i];
            if (!line.is_known() || line.rows < 4 || line.error * std::abs(m) > off_line / 5 ||
                !std::isfinite(modulus) || Samples::is_left_out(modulus))
                continue;
            const double angle = samples.angle[row * samples.pairs + i];
            const double residue =
                std::remainder(angle - line.offset - line.theta * m, 2 * std::numbers::pi);
            off += std::abs(residue) > off_line + precision * std::abs(line.theta * m) ? 1 : 0;
        }
        return off >= 2;
    }
};

// As asked, backwards or twice: frequencies that a swapped row among the first hides.
std::vector<Lines> asked_lines(const DumpReading& reading) {
    const std::vector<double> asked = frequencies_of(reading.asked).theta;
    std::vector<Lines> all;
    for (const double times : {1.0, -1.0, 2.0}) {
        all.push_back({{}, AnglePrecision{}.usual});
        for (const double theta : asked)
            all.back().of_pair.push_back(
                {.theta = times * theta, .error = 0x1p-48, .rows = reading.samples.rows()});
    }
    return all;
}

Samples first_group(const DumpReading& reading, const DumpPart& part) {
    DumpPart all = part;
    all.sampled.clear();
    for (std::uint64_t index = 0; index < part.rows.length(); ++index)
        all.sampled.push_back(part.rows.row(part.groups.front(), index));
    return samples_of(reading, all);
}

// The two rows that leave the lines at their own positions, and not at each other's.
std::optional<SwappedRows> swapped(const Lines& lines, const Samples& rows,
                                   const RowGroups& groups) {
    std::vector<std::size_t> odd;
    for (std::size_t row = 0; row < rows.rows() && odd.size() <= 2; ++row)
        if (lines.are_left(rows, row, rows.position(row, 0))) odd.push_back(row);
    if (odd.size() != 2) return std::nullopt;
    const double a = rows.position(odd[0], 0), b = rows.position(odd[1], 0);
    if (lines.are_left(rows, odd[0], b) || lines.are_left(rows, odd[1], a)) return std::nullopt;
    return SwappedRows{groups.index_of(rows.dump_row[odd[0]]),
                       groups.index_of(rows.dump_row[odd[1]])};
}

}  // namespace

std::optional<SwappedRows> swapped_rows(const DumpReading& reading, const DumpPart& part) {
    if (reading.samples.positions.size() > 1 || reading.samples.rows() < 8 ||
        part.rows.length() > most_rows)
        return std::nullopt;
    const Samples rows = first_group(reading, part);
    for (const AnglePrecision& precision : {AnglePrecision{}, narrow_angles[0], narrow_angles[1]}) {
        const Lines lines{fit_phase_lines(reading.samples, Orientation::right, precision),
                          precision.usual};
        if (lines.of_pair.empty()) continue;
        if (const auto found = swapped(lines, rows, part.rows)) return found;
    }
    for (const Lines& lines : asked_lines(reading))
        if (const auto found = swapped(lines, rows, part.rows)) return found;
    return std::nullopt;
}

NamedMistake swap_mistake(const SwappedRows& rows) {
    const std::string a = decimal(std::min(rows.a, rows.b)), b = decimal(std::max(rows.a, rows.b));
    return {"rows-swapped",
            {{"rows", a + " " + b}},
            "rows " + a + " and " + b + " are swapped: each is rotated to the other's position"};
}

}  // namespace rope
