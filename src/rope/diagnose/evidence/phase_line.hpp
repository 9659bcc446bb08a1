// A pair's line, angle = offset + θ·m, from the dump alone.
#pragma once

#include <cstdint>
#include <optional>

#include "rope/diagnose/evidence/hypothesis.hpp"

namespace rope {

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

}  // namespace rope
