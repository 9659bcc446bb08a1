// A dump's rows: how far each is off.
#pragma once

#include "plots/parts/figure.hpp"
#include "rope/diagnose/dump_evidence.hpp"

namespace rope::plots {

// The largest error over the position: a curve, or of several heads a line of cells for each.
Panel row_panel(const RowEvidence& rows);

}  // namespace rope::plots
