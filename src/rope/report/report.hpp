// The result of a run. A Report is the JSON; every other output is a rendering of it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rope/spec/spec.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

enum class Kind { law, conformance, claim };
enum class Verdict { holds, violated, not_applicable };

std::string_view to_string(Kind kind);
std::string_view to_string(Verdict verdict);

// The worst place found, or the first at which a claim fails: where, what the subject had and what
// the truth is; of a claim, what is at the second of two positions and what at the first.
struct Witness {
    std::vector<double> positions;
    std::optional<std::uint32_t> pair;
    double got = 0;
    double want = 0;
};

// How many values were out of their allowance, and the first of them, outward from 0 and then by
// pair.
struct Violations {
    std::uint64_t count = 0;
    double first_position = 0;
    std::uint32_t first_pair = 0;
};

using FieldValue = std::variant<std::monostate, std::uint64_t, double, std::string>;

// What a check's own field is: how it is rendered, and how a baseline keeps it.
enum class FieldRole {
    count,     // a number or word that is exact
    measured,  // an error: smaller is better
    units,     // an error in units of rounding
    place,     // where something is, or what follows from another field
    event,     // the first distance at which something happens; nothing where it was not found
    domain,    // how far was searched
    reading,   // how a claim is read, in words
};

struct Field {
    std::string name;
    FieldValue value;
    FieldRole role = FieldRole::count;
    std::string event = {};                      // what happens first: "rise", "beyond 1e-3"
    std::optional<std::uint64_t> distance = {};  // of the query and key that it is of

    bool operator==(const Field&) const = default;
};

struct Finding {
    std::string check;
    std::string claim = {};  // that the check is a reading of, "c3", and which: "R3"
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
    std::vector<Field> fields;  // a check's own, in JSON order
    std::string note;           // a sentence that says why
};

// Where a field of the Spec came from: "config.json: rope_scaling.factor", "--dim", "default".
struct Origin {
    std::string field;
    std::string from;
};

// A mistake (diagnosis.hpp) that turns the truth into the subject.
struct Explanation {
    std::string mistake;  // its id, "base"
    std::vector<std::pair<std::string, FieldValue>> parameters = {};
    std::string what;   // in a sentence: "rope_theta is 500000, not 10000"
    double before = 0;  // worst error over its allowance, this one mistake left uncorrected
    double after = 0;   // and with it corrected, as those in `together` are
    std::vector<std::string> together = {};    // ids of the others that it takes
    std::vector<std::string> equivalent = {};  // the same numbers or scores by other names
    std::vector<std::string> also_fits = {};   // other numbers, which the data do not exclude
    std::string advice;                        // the usual cause, and the fix
};

struct Report {
    Spec spec;
    std::vector<Origin> origins;       // in Spec order
    std::vector<std::string> ignored;  // keys of a config's rope section that nothing used
    double attention_factor = 1;
    std::vector<double> inv_freq;  // the truth, rounded to double
    Subject subject;
    std::vector<Finding> findings;
    std::string identity;                   // what a dump turned out to be, where no Spec was asked
    std::vector<Explanation> diagnosis;     // best first
    std::vector<std::string> observations;  // what is known where nothing explains it
};

struct Summary {
    std::uint32_t holds = 0, violated = 0, not_applicable = 0;  // laws and conformance
    std::uint32_t claims_hold = 0, claims_violated = 0;
};
Summary summarize(const Report& report);

// Whether this finding decides the exit code: a law, a conformance or a required claim.
bool gates(const Finding& finding, const std::vector<std::string>& required_claims);

// Of the findings that gate and apply: 1 if one is violated, 0 if all hold, 2 if there are none.
int exit_code(const Report& report, const std::vector<std::string>& required_claims);

// A report's findings, and their own fields, by name.

// Null where the check was not part of the run.
inline const Finding* find_finding(const Report& report, std::string_view check) {
    const auto found = std::ranges::find(report.findings, check, &Finding::check);
    return found == report.findings.end() ? nullptr : &*found;
}

// Empty where the finding has no such field, or none of that kind.
template <class Value>
std::optional<Value> finding_field(const Finding& finding, std::string_view name) {
    const auto found = std::ranges::find(finding.fields, name, &Field::name);
    if (found == finding.fields.end()) return std::nullopt;
    const auto* value = std::get_if<Value>(&found->value);
    return value == nullptr ? std::nullopt : std::optional(*value);
}

// Which findings of a report are faults, and whether they are far beyond rounding.

// Whether a law or a conformance is violated by more than rounding: max-error is a bound of the
// user's on that.
bool is_fault(const Finding& finding);

// Whether there are faults, and each is within a few times its allowance: two rotations in a row
// round as much.
bool is_marginal(const Report& report);

}  // namespace rope
