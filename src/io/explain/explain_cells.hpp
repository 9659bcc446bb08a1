// The tables that the text and the Markdown of an explained model share.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "io/explain/explanation.hpp"
#include "io/text/cells.hpp"

namespace rope::io {

Cells settings_cells(const ExplainedPlan& plan);  // field, value, where from
Cells band_cells(const ExplainedPlan& plan);      // pairs 0–28, what was done to them, wavelengths
Cells pair_cells(const ExplainedPlan& plan);  // "29 of 64 pairs never complete a turn in the 8,192
                                              // positions of training: 35–63"
std::string never_turning_text(const ExplainedPlan& plan);

// "critical dimension 70; min(d, 2⌈d/2·log_b(T/2π)⌉) = 70 (…)"
std::string critical_dimension_text(const CriticalDimension& critical);

// "unscaled", "÷8", "÷1.05…6.3 (blended)"
std::string band_text(const BandRun& run);

std::string value_text(const SettingValue& value);

}  // namespace rope::io
