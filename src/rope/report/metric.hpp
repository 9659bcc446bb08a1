// The numbers of a Report as metrics with tolerances, and the drift between two runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/report/report.hpp"

namespace rope {

// How a metric may differ from its recorded value:
//   exact   not at all
//   bound   up by its tolerance, down by any amount: smaller is better, as is a verdict
//           closer to "holds"
//   band    by its tolerance in both directions
//   report  by any amount
enum class MetricClass { exact, bound, band, report };

std::string_view to_string(MetricClass kind);

struct Metric {
    std::string name;  // "table-accuracy/observed", "full_attention/spec/rope_theta"
    MetricClass kind = MetricClass::exact;
    FieldValue value = {};
    double atol = 0, rtol = 0;  // for bound and band: |now − recorded| ≤ atol + rtol·|recorded|
    double spread = 0;          // range over repeated runs
    std::string basis = {};     // reason for the tolerance
};

// Returns all metrics of a report sorted by name; those of a group of layers are prefixed with its
// name. Metrics of a pipeline, including digest and claims, are the same bits on every machine.
// Metrics of a dump or of answers are bounds with a tolerance for rounding.
std::vector<Metric> metrics_of(const Report& report);

// Merges the metrics of several runs, which have the same names: the values of the first run with
// the spread of all. A number that varies becomes a band, or stays a bound, with a tolerance of at
// least three times the spread; any other value that varies becomes `report`.
std::vector<Metric> with_spread(const std::vector<std::vector<Metric>>& runs);

enum class Change {
    same,      // or within its tolerance, or of class report
    better,    // a bound that is smaller by more than a tenth, or a better verdict
    added,     // not in the baseline
    drifted,   // beyond its tolerance
    vanished,  // no longer measured
};

std::string_view to_string(Change change);

struct Drift {
    Metric recorded;                   // or the current metric, if added
    FieldValue now = {};               // empty if vanished
    std::optional<double> difference;  // now − recorded, for numbers
    double allowed = 0;                // atol + rtol·|recorded|
    Change change = Change::same;
};

// Compares two lists sorted by name. Returns all metrics of either list, sorted by name.
std::vector<Drift> drift_of(const std::vector<Metric>& recorded, const std::vector<Metric>& now);

// Returns `now` with the classes, tolerances and reasons of the recorded metrics and the larger
// spread of both. Throws InputError if a tolerance is smaller than the spread.
std::vector<Metric> renewed(const std::vector<Metric>& recorded, std::vector<Metric> now);

// Returns whether the metric drifted or vanished, or, with `strict`, was added.
bool fails(const Drift& drift, bool strict);

// Returns the drifts that fail, causes first: the Spec, the subject, verdicts, then numbers.
std::vector<Drift> failing(const std::vector<Drift>& drifts, bool strict);

// Returns the checks that were violated when recorded and still are; a baseline accepts them.
std::vector<std::string> accepted_violations(const std::vector<Drift>& drifts);

// Returns the value as a double, if it is a number.
std::optional<double> number_of(const FieldValue& value);

}  // namespace rope
