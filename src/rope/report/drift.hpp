// Two runs' metrics held against each other: what `baseline` compares.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/report/metric.hpp"

namespace rope {

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
