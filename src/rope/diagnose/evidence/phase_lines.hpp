// The lines of all pairs.
#pragma once

#include <cstddef>
#include <vector>

#include "rope/diagnose/evidence/phase_line.hpp"

namespace rope {

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

}  // namespace rope
