// How far an angle is off where inv_freq, the position and their product are rounded.
#pragma once

#include <cstdint>

#include "rope/number/format.hpp"
#include "rope/spec/frequency.hpp"

namespace rope::ledger {

// inv_freq is a float32 power first, as everywhere, and then of its own format.
struct AngleRounding {
    Format inv_freq = Format::float32, position = Format::float32, product = Format::float32;
};

// The angle of a position and a pair's float32 inv_freq, as it is computed.
double rounded_angle(double inv_freq, double position, const AngleRounding& rounding);

// The largest |computed − mθ| over positions first … last and all pairs, in radians, to 1e-9 of it.
double worst_angle_error(std::uint32_t dim, double base, const AngleRounding& rounding,
                         std::uint64_t first, std::uint64_t last);

// The largest error of a cos or sin of the float32 table that torch computes, positions 0 … last.
double worst_table_error(std::uint32_t dim, double base, std::uint64_t last);

// Different numbers that positions 0 … last are rounded to.
std::uint64_t distinct_positions(Format format, std::uint64_t last);

}  // namespace rope::ledger
