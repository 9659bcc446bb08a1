// The result of a run. The JSON output holds all of a Report; other outputs are views of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rope/rows/row_source.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
enum class Kind { law, conformance, claim };
enum class Verdict { holds, violated, not_applicable };

std::string_view to_string(Kind kind);
std::string_view to_string(Verdict verdict);

// The worst value found, or the first at which a claim fails. For a claim with two positions, `got`
// is the value at the second and `want` the value at the first.
struct Witness {
    std::vector<double> positions;
    std::optional<std::uint32_t> pair;
    double got = 0;
    double want = 0;
};

// Number of values outside their tolerance, the first of them in order of |position|, then pair,
// and the greatest pair that has one.
struct Violations {
    std::uint64_t count = 0;
    double first_position = 0;
    std::uint32_t first_pair = 0;
    std::uint32_t last_pair = 0;
};

using FieldValue = std::variant<std::monostate, std::uint64_t, double, std::string>;

// Role of a check's field, which selects its formatting and its class in a baseline.
enum class FieldRole {
    count,     // an exact number or word
    measured,  // an error; smaller is better
    units,     // an error in units of rounding
    place,     // a location, or a value that follows from another field
    event,     // first distance at which something happens; empty if not found
    domain,    // end of the searched range
    reading,   // the reading of a claim, in words
};

struct Field {
    std::string name;
    FieldValue value;
    FieldRole role = FieldRole::count;
    std::string event = {};                      // what happens first: "rise", "beyond 1e-3"
    std::optional<std::uint64_t> distance = {};  // of the query and key that the field refers to

    bool operator==(const Field&) const = default;
};

struct Finding {
    std::string check;
    std::string claim = {};  // the claim, "c3", of which this check is a reading
    std::string reading = {};
    Kind kind = Kind::law;
    Verdict verdict = Verdict::not_applicable;
    std::string statement;  // the equation
    std::string source;     // who states it
    double observed = 0;
    double allowed = 0;
    std::optional<Witness> worst;
    std::uint64_t samples = 0;
    std::optional<Violations> violations;
    std::vector<Field> fields;  // fields of this check, in JSON order
    std::string note;           // a sentence with the reason
};

// Source of a field of the Spec: "config.json: rope_scaling.factor", "--dim", "default".
struct Origin {
    std::string field;
    std::string from;
};

using Parameters = std::vector<std::pair<std::string, FieldValue>>;

struct NamedMistake {
    std::string mistake;  // id, such as "base"
    Parameters parameters = {};
    std::string what = {};    // a sentence: "rope_theta is 500000, not 10000"
    std::string advice = {};  // usual cause, and the fix; empty: the table's (changes/mistakes.hpp)
};

// A mistake (diagnosis.hpp) that reproduces the subject when applied to the exact result.
struct Explanation : NamedMistake {
    double before = 0;  // worst error/tolerance if only this mistake is not corrected
    double after = 0;   // worst error/tolerance if all mistakes are corrected
    std::vector<std::string> equivalent = {};  // descriptions with the same numbers or scores
    std::vector<std::string> also_fits = {};   // other parameters that the data do not exclude
    std::string part = {};                     // "heads 0–3 of 8"; empty: all
};

struct Report {
    Spec spec;
    std::vector<Origin> origins;       // in the order of the Spec
    std::vector<std::string> ignored;  // unused keys of a config's rope section
    double attention_factor = 1;
    std::vector<double> inv_freq;  // exact, rounded to double
    Subject subject;
    std::optional<std::uint64_t> layer = {};  // of a config, if the file has arrays of several
    std::vector<Finding> findings;
    std::string identity;                   // how a dump was identified, if no Spec was given
    std::vector<Explanation> diagnosis;     // best first
    std::vector<std::string> observations;  // facts about a subject that no mistake explains
    std::string unexplained = {};  // the part without a mistake, if others have one: "head 7 of 8"
};

struct Summary {
    std::uint32_t holds = 0, violated = 0, not_applicable = 0;  // laws and conformance
    std::uint32_t claims_hold = 0, claims_violated = 0;
};
Summary summarize(const Report& report);

// Returns whether the finding affects the exit code: a law, a conformance or a required claim.
bool gates(const Finding& finding, const std::vector<std::string>& required_claims);

// Returns the other mistakes of a diagnosis that the same heads and batch entries have.
std::vector<std::string> mistakes_with(const Report& report, const Explanation& one);

// Returns "2 mistakes together", "3 mistakes, in different heads; not explained: head 7 of 8", or
// "" for one mistake that explains everything.
std::string diagnosis_title(const Report& report);

// Returns the first observation, after a heading such as "head 0 of 8: not explained; there:"; ""
// if there is none.
std::string first_observation(const Report& report);

// Returns 1 if a finding that gates is violated, 0 if all hold, 2 if none applies.
int exit_code(const Report& report, const std::vector<std::string>& required_claims);

// Returns nullptr if the check was not part of the run.
inline const Finding* find_finding(const Report& report, std::string_view check) {
    const auto found = std::ranges::find(report.findings, check, &Finding::check);
    return found == report.findings.end() ? nullptr : &*found;
}

// Returns nothing if the finding has no such field, or one of another type.
template <class Value>
std::optional<Value> finding_field(const Finding& finding, std::string_view name) {
    const auto found = std::ranges::find(finding.fields, name, &Field::name);
    if (found == finding.fields.end()) return std::nullopt;
    const auto* value = std::get_if<Value>(&found->value);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

// Returns whether a law or conformance is violated, except max-error, which is a limit set by the
// user.
bool is_fault(const Finding& finding);

// Returns whether there are faults and each exceeds its tolerance only by a small factor, as the
// additional rounding of a second rotation does.
bool is_marginal(const Report& report);

// The numbers of a Report as metrics with tolerances, and the drift between two runs.

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
    double spread = 0;          // known range, which the tolerance may not undercut
    std::string basis = {};     // reason for the tolerance
};

// Returns all metrics of a report sorted by name; those of a group of layers are prefixed with its
// name. Metrics of a pipeline, including digest and claims, are the same bits on every machine.
// An error of a dump or of answers is a bound as a multiple of its tolerance.
std::vector<Metric> metrics_of(const Report& report);

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
    // Drifted or vanished, or was added: a verdict that is violated, or, if `strict`, any.
    bool fails = false;
};

// Compares two lists sorted by name. Returns all metrics of either list, sorted by name.
std::vector<Drift> drift_of(const std::vector<Metric>& recorded, const std::vector<Metric>& now,
                            bool strict = false);

// Returns `now` with the classes, tolerances and reasons of the recorded metrics and the larger
// spread of both. Throws InputError if a tolerance is smaller than the spread.
std::vector<Metric> renewed(const std::vector<Metric>& recorded, std::vector<Metric> now);

// Returns the drifts that fail, causes first: the Spec, the subject, verdicts, then numbers.
std::vector<Drift> failing(const std::vector<Drift>& drifts);

// Returns the checks that were violated when recorded and still are; a baseline accepts them.
std::vector<std::string> accepted_violations(const std::vector<Drift>& drifts);

// "7", "0.5", "row number"
std::string text_of(const FieldValue& value);
// Returns the value as a double, if it is a number.
std::optional<double> number_of(const FieldValue& value);

}  // namespace rope
