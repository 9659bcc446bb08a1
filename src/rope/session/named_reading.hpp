// Whether a dump is what another library makes of the same config.
#pragma once

#include <functional>

#include "rope/readings/readings.hpp"
#include "rope/report/report.hpp"

namespace rope {

// The table-accuracy of the dump by another Spec, violated where its turn-rate is, too.
using JudgedBy = std::function<Finding(const Spec& spec)>;

// Names in the report of a violated table-accuracy or turn-rate the readings of its Spec by which
// every value holds: beside what its diagnosis has, or as the diagnosis where there is none.
void name_reading(Report& report, const ConfigFacts& facts, const JudgedBy& judged_by);

}  // namespace rope
