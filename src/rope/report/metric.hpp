// The numbers of a Report, one by one, each with how far it may move; and the drift between two
// runs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/report/report.hpp"

namespace rope {

// The numbers of a Report, one by one, each with how far it may move.

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

// Two runs' metrics held against each other: what `baseline` compares.

enum class Change {
    same,      // or within its tolerance, or of class report
    better,    // a bound that could be tightened: smaller by more than a tenth, a better verdict
    added,     // not in the baseline
    drifted,   // beyond its tolerance
    vanished,  // no longer measured
};

std::string_view to_string(Change change);

struct Drift {
    Metric recorded;                   // the metric now, where it was added
    FieldValue now = {};               // nothing where it vanished
    std::optional<double> difference;  // now − recorded, of numbers
    double allowed = 0;                // atol + rtol·|recorded|
    Change change = Change::same;
};

// Every metric of either, in the order of their names; both are in that order.
std::vector<Drift> drift_of(const std::vector<Metric>& recorded, const std::vector<Metric>& now);

// `now` under the classes, tolerances and reasons that `recorded` has for metrics of these names,
// each with the larger spread. Throws InputError where a tolerance is tighter than its spread.
std::vector<Metric> renewed(const std::vector<Metric>& recorded, std::vector<Metric> now);

// A drifted or vanished metric fails; under `strict` an added one does, too.
bool fails(const Drift& drift, bool strict);

// What fails, causes first: the Spec, the subject, verdicts, then the numbers.
std::vector<Drift> failing(const std::vector<Drift>& drifts, bool strict);

// The checks that were violated when recorded and are: a baseline accepts them.
std::vector<std::string> accepted_violations(const std::vector<Drift>& drifts);

// The value as a number, if it is one.
std::optional<double> number_of(const FieldValue& value);
// Numbers by value, whichever way they are held; NaN equals nothing.
bool is_same_value(const FieldValue& a, const FieldValue& b);

}  // namespace rope
