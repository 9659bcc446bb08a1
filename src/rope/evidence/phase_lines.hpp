// Each pair's line, angle = offset + θ·m, and the position axis that rotates the pair, from the
// dump alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "rope/evidence/hypothesis.hpp"
#include "rope/spec/axis.hpp"

namespace rope {

// A pair's line, angle = offset + θ·m, from the dump alone.

struct PhaseLine {
    // radians per position, in (−π, π] over the smallest gap of positions; of one pair among many a
    // float32 number beyond, if its products tell it
    double theta = 0;
    double offset = 0;       // the angle at position 0
    double error = 0;        // standard error of θ
    double middle = 0;       // the weighted mean of the positions
    double angle_error = 0;  // standard error of the angle there
    std::size_t rows = 0;    // from the first, that lie on the line
    double modulo = 0;       // what θ is known up to, 2π/g of positions g > 1 apart; else 0
    double first = 0;        // position
    std::optional<double> number = {};  // of frequencies alone, whole turns and all
    // Whether the pair says anything: it may be left out or not finite in every row.
    bool is_known() const { return error > 0; }
    // Vectors that are zero, or too small, in every row.
    bool is_left_out() const { return !is_known() && rows > 0; }
    // Of frequencies that are powers, no more than 1 but for a factor.
    bool is_of_a_law() const { return theta > 0 && theta < 3 && error > 0; }
    double weight() const { return theta == 0 ? 0 : theta * theta / (error * error); }
};

// How far an angle may be from its line, of its size: beside storage.
struct AnglePrecision {
    double usual = 2 * 0x1p-24;
    // The line is the dump's own, which float32 leaves by a few units; a turn is thousands off.
    double most = 256 * 0x1p-24;
    double offset = 0;  // positions may be off by
};

// Rows come in ascending positions; each is unwrapped by the line through those before it, as far
// as they fit.
PhaseLine fit_phase_line(const Samples& samples, Orientation turn, const AnglePrecision& precision,
                         std::uint32_t pair);

// The lines of all pairs.

struct LinesOfRows {
    std::vector<PhaseLine> lines;  // of each pair, or none
    std::size_t rows = 0;          // that they were fitted to
    bool is_straight(std::size_t pair) const {
        return lines[pair].is_known() && lines[pair].rows == rows;
    }
};

// The lines by the θ, of those that their rows cannot tell apart, nearest to these.
std::vector<PhaseLine> nearest_to(const std::vector<double>& theta, std::vector<PhaseLine> lines);

// Lines through angle 0 at position 0, whose θ is as much more exact as positions are far from it;
// empty where a line does not tell how many turns lie between, or says otherwise.
std::vector<PhaseLine> through_zero(const std::vector<PhaseLine>& lines);

// bfloat16 and float16: m, 2m, 4m, … share one error, and most sampled rows are such.
inline constexpr AnglePrecision narrow_angles[] = {{0x1p-8, 0x1p-8, 32}, {0x1p-11, 0x1p-11, 32}};

// Empty where the first two positions leave θ open, or positions have several axes.
std::vector<PhaseLine> fit_phase_lines(const Samples& samples, Orientation turn,
                                       const AnglePrecision& precision = {});

// A line through weighted points, by least squares as these come in.

struct LineSums {
    double w = 0, x = 0, xx = 0, y = 0, xy = 0;

    void add(double at, double value, double weight) {
        w += weight;
        x += weight * at;
        xx += weight * at * at;
        y += weight * value;
        xy += weight * at * value;
    }
    // Times w.
    double spread() const { return w * xx - x * x; }
    double covariance() const { return w * xy - x * y; }
    double slope() const { return covariance() / spread(); }
    // At 0, of a line of this slope.
    double offset(double of_slope) const { return (y - of_slope * x) / w; }
    double at(double place, double of_slope) const { return offset(of_slope) + of_slope * place; }
};

// A frequency beyond half a turn a position, identified by the float32 products that it leaves.

// The float32 number t between π and 10^5 for which the pair's angle is fl32(m·t) at every row, to
// the dump's storage; none where 16 bits or far positions leave it open. A line modulo 2π says
// nothing of such a t: its products are off by 2^-24·m·t, which identifies it.
std::optional<double> float_frequency(const Samples& samples, Orientation turn, std::uint32_t pair);

// Which position axis turns each pair, from the dump alone.

// Over rows of different positions on each axis; no lines where it has not two.
std::vector<LinesOfRows> fit_lines_on_each_axis(const Samples& samples);
// Each pair's on the axis that it follows best; empty where no axis has lines.
std::vector<PhaseLine> best_lines(const std::vector<LinesOfRows>& of_axes);
// The best lines of the samples.
std::vector<PhaseLine> fit_lines_by_axis(const Samples& samples);

// Each pair's line on its own of several axes. Those of an axis are left out where it has one
// position, or where one of its pairs does not rotate at a constant rate; empty where no axis is
// left.
struct LinesOnAxes {
    std::vector<PhaseLine> lines;
    bool is_constant = true;  // the rate of every pair
};
LinesOnAxes fit_lines_on_axes(const Samples& samples, const std::vector<std::uint32_t>& axis,
                              Orientation turn);

// How far off each pair is on each axis; infinite where it cannot follow it.
using AxisMisfits = std::vector<std::vector<double>>;

// By its farthest value, as a share of what is allowed.
AxisMisfits misfits_on_axes(const Samples& samples, const Hypothesis& hypothesis);

// What the pairs add up to by a map of as many of them.
double misfit_by(const AxisMap& map, const AxisMisfits& misfits);

// Of three axes the sectioned map and the interleaved one that add up to the least, of four also
// those that use all four; where several do, the one with the last sections as long as can be. None
// of a sum that is not finite.
std::vector<AxisMap> maps_of_least_misfit(const AxisMisfits& misfits);

}  // namespace rope
