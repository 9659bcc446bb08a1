// The line angle = offset + θ·m of each pair, and the axis that rotates the pair, fitted to a dump.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/spec/axis.hpp"

namespace rope {

struct PhaseLine {
    // radians per position, in (−π, π] at positions 1 apart; float_frequency's for a fast pair
    double theta = 0;
    double offset = 0;       // the angle at position 0
    double error = 0;        // standard error of θ
    double middle = 0;       // weighted mean of the positions
    double angle_error = 0;  // standard error of the angle at `middle`
    std::size_t rows = 0;    // number of leading rows on the line
    double modulo = 0;  // 2π/g for positions g > 1 apart: θ is known up to multiples of it; else 0
    double first = 0;   // the first position
    std::optional<double> number = {};  // the stored inv_freq of a FrequencyDump
    // False if the pair is left out or not finite in every row.
    bool is_known() const { return error > 0; }
    // True if the vectors of the pair are too small in every row.
    bool is_left_out() const { return !is_known() && rows > 0; }
    // Whether θ may be a power of a base times a usual factor.
    bool is_of_a_law() const { return theta > 0 && theta < 3 && error > 0; }
    double weight() const { return theta == 0 ? 0 : theta * theta / (error * error); }
};
using PhaseLines = std::vector<PhaseLine>;  // one per pair

// The error of an angle relative to its size, in addition to the storage error.
struct AnglePrecision {
    double usual = 2 * 0x1p-24;  // standard error
    // Largest error: float32 angles differ from the dump's line by a few units of 2^-24, those of a
    // wrong number of turns by thousands.
    double most = 256 * 0x1p-24;
    double offset = 0;  // error of positions
};

struct LinesOfRows {
    PhaseLines lines;      // one per pair, or empty
    std::size_t rows = 0;  // number of rows in the fit
    bool is_straight(std::size_t pair) const {
        return lines[pair].is_known() && lines[pair].rows == rows;
    }
};

// Moves each line's θ by the multiple of `modulo` that brings it nearest to `theta`.
PhaseLines nearest_to(const std::vector<double>& theta, PhaseLines lines);

// Returns the lines with offset 0, which determines θ better the farther the positions are from 0.
// A line whose error permits several numbers of turns keeps its offset. Empty if a line's error
// excludes offset 0.
PhaseLines through_zero(const PhaseLines& lines);

// bfloat16 and float16. m, 2m, 4m, … have one relative error, and most sampled rows are of this
// kind.
inline constexpr AnglePrecision narrow_angles[] = {{0x1p-8, 0x1p-8, 32}, {0x1p-11, 0x1p-11, 32}};

// Returns the line of each pair; empty with several axes or fewer than two rows, or if no pair has
// one.
PhaseLines fit_phase_lines(const Samples& samples, const AnglePrecision& precision = {});

// Returns the lines of the samples' angles, which were written in this orientation, with those of
// one or two pairs that rotate by more than π per position.
PhaseLines oriented(PhaseLines lines, Orientation turn, const Samples& samples);

// Returns the float32 number t in (π, 10^5) for which the pair's angle is fl32(m·t) at every row,
// within the storage error; none if 16-bit storage or far positions leave several. fl32(m·t) is off
// by up to 2^-24·m·t, which distinguishes t from t + 2π.
std::optional<double> float_frequency(const Samples& samples, Orientation turn, std::uint32_t pair);

// Returns for each axis the lines of all pairs, fitted to one row per position on that axis; no
// lines on an axis with one position.
std::vector<LinesOfRows> fit_lines_on_each_axis(const Samples& samples,
                                                const AnglePrecision& precision = {});
// Returns each pair's line on the axis where the largest share of rows lies on it; empty if no axis
// has lines.
PhaseLines fit_lines_by_axis(const Samples& samples);

// The line of each pair on its axis. The lines of an axis are left out if all rows have one
// position on it, or if one of its pairs does not rotate at a constant frequency. Empty if no line
// remains.
PhaseLines fit_lines_on_axes(const Samples& samples, const std::vector<std::uint32_t>& axis);
// Whether each pair rotates at a constant frequency on its axis.
bool are_constant_on_axes(const Samples& samples, const std::vector<std::uint32_t>& axis);
// Whether each pair rotates at a constant frequency on any axis.
bool may_follow_axes(const Samples& samples);

// [pair][axis]: the largest error divided by its tolerance; infinite if that exceeds 1. Empty if a
// pair follows none of the axes.
using AxisMisfits = std::vector<std::vector<double>>;

AxisMisfits misfits_on_axes(const Samples& samples, const Hypothesis& hypothesis, std::size_t axes);

// Returns the sum of the pairs' misfits on their axes according to `map`.
double misfit_by(const AxisMap& map, const AxisMisfits& misfits);

}  // namespace rope
