// A dump's pairs: frequencies and residues.
#pragma once

#include <string>
#include <vector>

#include "plots/parts/figure.hpp"
#include "rope/diagnose/dump_evidence.hpp"

namespace rope::plots {

// What is larger, or not finite, is drawn there. A finite error has at most 2/2⁻²⁴ allowances.
inline constexpr double largest_drawn = 0x1p30;
double drawn_error(double error);

// Errors over their allowance, with a line at 1.
Axis allowance_axis(double least, double most);

// Frequencies, how far they are off, and residues.
std::vector<Panel> pair_panels(const ComparedReport& compared);

}  // namespace rope::plots
