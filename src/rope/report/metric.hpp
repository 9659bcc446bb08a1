// The numbers of a Report, one by one, each with how far it may move.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rope/report/report.hpp"

namespace rope {

// How a metric may move from what is recorded:
//   exact    not at all
//   bound    up to its tolerance upwards, downwards at will: smaller is better, and so is a
//            verdict nearer to "holds"
//   band     up to its tolerance either way
//   report   at will
enum class MetricClass { exact, bound, band, report };

std::string_view to_string(MetricClass kind);

struct Metric {
    std::string name;  // "table-accuracy/observed", "full_attention/spec/rope_theta"
    MetricClass kind = MetricClass::exact;
    FieldValue value = {};
    double atol = 0, rtol = 0;  // of bound and band: |now − recorded| ≤ atol + rtol·|recorded|
    double spread = 0;          // seen between runs that were meant to be the same
    std::string basis = {};     // why the tolerance is what it is
};

// Every metric of a report in the order of their names, those of a group of layers under its name.
// Those of a pipeline are the same bits on every machine, its digest and claims among them. Those
// of a dump or of answers are bounds within which rounding may move them.
std::vector<Metric> metrics_of(const Report& report);

// Of metrics of the same names, from several runs: the first run's values, and the spread of all.
// A number that did not stay the same becomes a band, or keeps its bound, of at least three times
// the spread; anything else that did not becomes `report`.
std::vector<Metric> with_spread(const std::vector<std::vector<Metric>>& runs);

}  // namespace rope
