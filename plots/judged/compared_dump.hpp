// What compare found in a dump: each pair's frequency and residue, and the rows that are off.
#pragma once

#include <span>

#include "plots/parts/figure.hpp"
#include "rope/diagnose/dump_evidence.hpp"

namespace rope::plots {

// Four panels for each, two in a row: the frequency fitted to each pair over the one asked for; how
// far it is off; the errors left beside the Spec and beside the fit; and the error of every row,
// a line of cells for each head where there are several. Of frequencies alone the first three.
Figure compared_figure(std::span<const ComparedReport> compared);

}  // namespace rope::plots
