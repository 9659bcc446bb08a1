
#include "rope/checks/report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>
#include <utility>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "rope/exact/random.hpp"
#include "rope/spec/spec.hpp"

namespace rope {
namespace {

constexpr std::string_view same_bits = "the same bits on every machine";
constexpr std::string_view where = "where it is, not how large";
constexpr std::string_view of_values = "depends on the values, not on how right they are";
constexpr double power_units = 2;  // K within which a float32 pow is accurate

// Collects the metrics of one report under its prefix.
class Collector {
  public:
    // An emulated pipeline has the same bits on every machine; results of an implementation depend
    // on its machine and on its input vectors.
    explicit Collector(const Subject& subject)
        : prefix_(subject.layers.empty() ? "" : subject.layers + "/"),
          is_measured_(subject.pipeline.empty()) {}
    bool is_measured() const { return is_measured_; }

    void add(const std::string& name, MetricClass kind, FieldValue value, std::string_view basis,
             double rtol = 0, double atol = 0) {
        metrics_.push_back({.name = prefix_ + name,
                            .kind = kind,
                            .value = std::move(value),
                            .atol = atol,
                            .rtol = rtol,
                            .basis = std::string(basis)});
    }
    void exact(const std::string& name, FieldValue value) {
        add(name, MetricClass::exact, std::move(value), same_bits);
    }
    void bound(const std::string& name, FieldValue value) {
        add(name, MetricClass::bound, std::move(value), same_bits);
    }
    void report(const std::string& name, FieldValue value, std::string_view basis = where) {
        add(name, MetricClass::report, std::move(value), basis);
    }
    // Rounding moves the worst value to another place, with another tolerance, and changes an error
    // by all that the check allows; an error beyond that may double.
    void error(const std::string& check, double observed, double allowed) {
        if (!is_measured_) return bound(check + "/observed", observed);
        report(check + "/observed", observed);
        if (const double ratio = observed / allowed; std::isfinite(ratio))
            add(check + "/times_tolerance", MetricClass::bound, ratio, "twice the tolerance", 1, 1);
    }
    void units(const std::string& name, FieldValue value) {
        if (!is_measured_) return bound(name, std::move(value));
        add(name, MetricClass::bound, std::move(value), "twice the error of float32 pow", 1,
            power_units);
    }
    // tolerance of 4 ulp, since libm's log or pow is used
    void near(const std::string& name, double value) {
        add(name, MetricClass::band, value, "4 ulp: the platform's log enters", 0x1p-50);
    }

    std::vector<Metric> take() {
        std::sort(metrics_.begin(), metrics_.end(),
                  [](const Metric& a, const Metric& b) { return a.name < b.name; });
        return std::move(metrics_);
    }

  private:
    std::string prefix_;
    bool is_measured_;
    std::vector<Metric> metrics_;
};

FieldValue value_of(const std::vector<double>& list) {
    return decimal(list.size()) + " numbers, digest " + digest_of(list);
}

void add_spec(Collector& to, const Spec& spec) {
    to.exact("spec/head_dim", std::uint64_t{spec.head_dim});
    to.exact("spec/rotary_dim", std::uint64_t{spec.rotary_dim});
    to.exact("spec/layout", std::string(to_string(spec.layout)));
    if (spec.rotary_offset != 0) to.exact("spec/rotary_offset", std::uint64_t{spec.rotary_offset});
    if (spec.direction != Direction::forward)
        to.exact("spec/direction", std::string(to_string(spec.direction)));
    to.exact("spec/max_position_embeddings", spec.max_position_embeddings);
    to.exact("spec/rope_theta", spec.rope_theta);
    to.exact("spec/axes", std::string(to_string(spec.axes.scheme)));
    if (!spec.reading.empty()) to.exact("spec/reading", spec.reading);
    if (spec.seq_len) to.exact("spec/seq_len", *spec.seq_len);
    if (const auto& sections = spec.axes.sections; !sections.empty())
        to.exact("spec/mrope_section", join(sections, {}, ","));
}

FieldValue value_of(const std::optional<double>& x) { return *x; }
FieldValue value_of(const std::optional<std::uint64_t>& n) { return *n; }
FieldValue value_of(const std::optional<bool>& truth) {
    return std::string(*truth ? "true" : "false");
}

void add_scaling(Collector& to, const Scaling& scaling) {
    to.exact("spec/rope_type", scaling.rope_type);
    for (const ScalingField& field : scaling_fields())
        std::visit(
            [&](auto member) {
                if (is_set(scaling.*member))
                    to.exact("spec/" + std::string(field.name), value_of(scaling.*member));
            },
            field.member);
}

void add_plan(Collector& to, const Report& report) {
    to.near("plan/attention_factor", report.attention_factor);
    to.exact("plan/inv_freq/digest", digest_of(report.inv_freq));
    if (report.inv_freq.empty()) return;
    to.exact("plan/inv_freq/first", report.inv_freq.front());
    to.exact("plan/inv_freq/last", report.inv_freq.back());
}

void add_subject(Collector& to, const Subject& subject) {
    to.report("subject/origin", subject.origin);
    to.exact("subject/pipeline", subject.pipeline);
    to.exact("subject/context", subject.context);
    to.exact("subject/seed", subject.seed);
    if (!subject.layer_numbers.empty())
        to.exact("subject/layer_numbers", ranges(subject.layer_numbers));
    if (to.is_measured())
        to.add("subject/rounding", MetricClass::bound, subject.rounding, "the values' format");
    else if (!subject.digest.empty())
        to.exact("subject/digest", subject.digest);
}

void add_field(Collector& to, const std::string& check, const Field& field) {
    const std::string name = check + "/" + field.name;
    switch (field.role) {
        case FieldRole::measured:
            return to.is_measured() ? to.report(name, field.value) : to.bound(name, field.value);
        case FieldRole::units:
            return to.units(name, field.value);
        case FieldRole::place:
            return to.report(name, field.value);
        case FieldRole::reading:  // contained in the check's name
            return;
        default:
            return to.exact(name, field.value);
    }
}

void add_judgement(Collector& to, const Finding& finding) {
    const std::string& check = finding.check;
    to.exact(check + "/samples", finding.samples);
    to.bound(check + "/verdict", std::string(to_string(finding.verdict)));
    to.error(check, finding.observed, finding.allowed);
    const std::uint64_t out = finding.violations ? finding.violations->count : 0;
    if (to.is_measured()) {
        to.report(check + "/allowed", finding.allowed, of_values);
        to.report(check + "/violations", out, of_values);
    } else {
        to.near(check + "/allowed", finding.allowed);
        to.bound(check + "/violations", out);
    }
}

// A claim depends only on the Spec, not on an implementation.
void add_finding(Collector& to, const Finding& finding) {
    const std::string& check = finding.check;
    if (finding.kind != Kind::claim) {
        add_judgement(to, finding);
    } else {
        if (to.is_measured()) return;
        to.exact(check + "/verdict", std::string(to_string(finding.verdict)));
        to.exact(check + "/observed", finding.observed);
    }
    if (finding.worst) {
        to.report(check + "/worst/positions", join(finding.worst->positions));
        if (finding.worst->pair)
            to.report(check + "/worst/pair", std::uint64_t{*finding.worst->pair});
    }
    for (const Field& field : finding.fields) add_field(to, check, field);
}

void add_summary(Collector& to, const Summary& sum) {
    to.report("summary/holds", std::uint64_t{sum.holds});
    to.bound("summary/violated", std::uint64_t{sum.violated});
    to.report("summary/not_applicable", std::uint64_t{sum.not_applicable});
    if (to.is_measured()) return;
    to.exact("summary/claims/holds", std::uint64_t{sum.claims_hold});
    to.exact("summary/claims/violated", std::uint64_t{sum.claims_violated});
}

// "base(rope_theta 20000) in heads 0–3 of 8". Other machines give the same three digits.
std::string with_parameters(const Explanation& one) {
    std::vector<std::string> parameters;
    for (const auto& [name, value] : one.parameters) {
        const auto* number = std::get_if<double>(&value);
        parameters.push_back(
            name + " " +
            (number == nullptr ? text_of(value) : decimal(rounded_to_digits(*number, 3))));
    }
    std::string text = one.mistake;
    if (!parameters.empty()) text += "(" + join(parameters) + ")";
    if (!one.part.empty()) text += " in " + one.part;
    std::ranges::replace(text, ';', ',');  // separates mistakes
    return text;
}

// A failure with another mistake than those that a baseline accepts is a new one.
void add_mistakes(Collector& to, const Report& report) {
    if (!to.is_measured()) return;
    std::set<std::string> names;
    for (const Explanation& one : report.diagnosis) names.insert(with_parameters(one));
    const bool is_explained = report.unexplained.empty() && !names.empty();
    if (!is_explained && std::ranges::any_of(report.findings, is_fault)) names.insert("unknown");
    to.add("summary/mistakes", MetricClass::bound, names.empty() ? "none" : join(names, {}, "; "),
           "no other mistake");
}

constexpr double tightening = 0.9;  // of the recorded value; a smaller one is worth recording

// Compares numbers by value, whatever their type; NaN equals nothing.
bool is_same_value(const FieldValue& a, const FieldValue& b) {
    if (a.index() == b.index()) return a == b;
    const auto x = number_of(a), y = number_of(b);
    return x && y && *x == *y;
}

// Returns the rank of a verdict, from best to worst; -1 for other text.
constexpr int rank_of_violated = 2;
int rank_of(const FieldValue& value) {
    const auto* text = std::get_if<std::string>(&value);
    if (text == nullptr) return -1;
    const Verdict worsening[] = {Verdict::holds, Verdict::not_applicable, Verdict::violated};
    for (int rank = 0; rank <= rank_of_violated; ++rank)
        if (*text == to_string(worsening[rank])) return rank;
    return -1;
}

// Verdicts, or lists of mistakes.
Change change_of_text(const FieldValue& recorded, const FieldValue& now) {
    const int before = rank_of(recorded), after = rank_of(now);
    if (before >= 0 && after >= 0) return after > before ? Change::drifted : Change::better;
    const auto *accepted = std::get_if<std::string>(&recorded),
               *found = std::get_if<std::string>(&now);
    if (accepted == nullptr || found == nullptr) return Change::drifted;
    const auto known = split(*accepted, "; ");
    const bool is_part = std::ranges::all_of(split(*found, "; "), [&](std::string_view one) {
        return one == "none" || std::ranges::count(known, one) > 0;
    });
    return is_part ? Change::better : Change::drifted;
}

Change change_of_number(const Metric& recorded, double before, double difference, double allowed) {
    const bool one_way = recorded.kind == MetricClass::bound;
    if (!((one_way ? difference : std::abs(difference)) <= allowed)) return Change::drifted;
    const bool tighter =
        one_way && before + difference < tightening * before && -difference > allowed;
    return tighter ? Change::better : Change::same;
}

Drift compare(const Metric& recorded, const FieldValue& now) {
    Drift drift{.recorded = recorded, .now = now, .difference = std::nullopt};
    const auto before = number_of(recorded.value), after = number_of(now);
    if (before && after) {
        drift.difference = *after - *before;
        drift.allowed = recorded.atol + recorded.rtol * std::abs(*before);
    }
    if (recorded.kind == MetricClass::report || is_same_value(recorded.value, now)) return drift;
    if (recorded.kind == MetricClass::exact)
        drift.change = Change::drifted;
    else if (drift.difference)
        drift.change = change_of_number(recorded, *before, *drift.difference, drift.allowed);
    else
        drift.change = recorded.kind == MetricClass::bound ? change_of_text(recorded.value, now)
                                                           : Change::drifted;
    return drift;
}

int rank_of_cause(const std::string& name) {
    const std::string_view causes[] = {"spec/rope_type", "spec/", "subject/", "/verdict"};
    int rank = 0;
    for (const std::string_view cause : causes) {
        if (name.find(cause) != name.npos) break;
        ++rank;
    }
    return rank;
}

}  // namespace

std::string_view to_string(MetricClass kind) {
    constexpr std::string_view names[] = {"exact", "bound", "band", "report"};
    return names[static_cast<std::size_t>(kind)];
}

std::vector<Metric> metrics_of(const Report& report) {
    Collector to(report.subject);
    add_spec(to, report.spec);
    add_scaling(to, report.spec.scaling);
    add_plan(to, report);
    add_subject(to, report.subject);
    for (const Finding& finding : report.findings) add_finding(to, finding);
    add_summary(to, summarize(report));
    add_mistakes(to, report);
    return to.take();
}

std::string_view to_string(Change change) {
    constexpr std::string_view names[] = {"same", "better", "added", "drifted", "vanished"};
    return names[static_cast<std::size_t>(change)];
}

std::string text_of(const FieldValue& value) {
    if (const auto* x = std::get_if<double>(&value)) return decimal(*x);
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return decimal(*n);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    return "";
}

std::optional<double> number_of(const FieldValue& value) {
    if (const auto* x = std::get_if<double>(&value)) return *x;
    if (const auto* n = std::get_if<std::uint64_t>(&value)) return static_cast<double>(*n);
    return std::nullopt;
}

std::vector<Drift> drift_of(const std::vector<Metric>& recorded, const std::vector<Metric>& now,
                            bool strict) {
    std::vector<Drift> drifts;
    auto a = recorded.begin();
    auto b = now.begin();
    while (a != recorded.end() || b != now.end()) {
        if (b == now.end() || (a != recorded.end() && a->name < b->name)) {
            const Change change = a->kind == MetricClass::report ? Change::same : Change::vanished;
            drifts.push_back({.recorded = *a++, .difference = std::nullopt, .change = change});
        } else if (a == recorded.end() || b->name < a->name) {
            drifts.push_back(
                {.recorded = *b,
                 .now = b->value,
                 .difference = std::nullopt,
                 .change = b->kind == MetricClass::report ? Change::same : Change::added});
            ++b;
        } else {
            drifts.push_back(compare(*a++, (b++)->value));
        }
    }
    for (Drift& drift : drifts) {
        const bool is_violated = drift.recorded.kind == MetricClass::bound &&
                                 rank_of(drift.recorded.value) == rank_of_violated;
        drift.fails = drift.change == Change::drifted || drift.change == Change::vanished ||
                      (drift.change == Change::added && (strict || is_violated));
    }
    return drifts;
}

std::vector<Drift> failing(const std::vector<Drift>& drifts) {
    std::vector<Drift> all;
    std::ranges::copy_if(drifts, std::back_inserter(all), &Drift::fails);
    std::sort(all.begin(), all.end(), [](const Drift& a, const Drift& b) {
        const std::string &m = a.recorded.name, &n = b.recorded.name;
        return std::pair(rank_of_cause(m), m) < std::pair(rank_of_cause(n), n);
    });
    return all;
}

std::vector<std::string> accepted_violations(const std::vector<Drift>& drifts) {
    constexpr std::string_view verdict = "/verdict";
    std::vector<std::string> checks;
    for (const Drift& drift : drifts) {
        const std::string& name = drift.recorded.name;
        if (drift.change != Change::added && drift.recorded.kind == MetricClass::bound &&
            name.ends_with(verdict) && rank_of(drift.recorded.value) == rank_of_violated &&
            rank_of(drift.now) == rank_of_violated)
            checks.push_back(name.substr(0, name.size() - verdict.size()));
    }
    return checks;
}

std::vector<Metric> renewed(const std::vector<Metric>& recorded, std::vector<Metric> now) {
    for (Metric& metric : now) {
        const auto old = std::lower_bound(
            recorded.begin(), recorded.end(), metric.name,
            [](const Metric& m, const std::string& name) { return m.name < name; });
        if (old == recorded.end() || old->name != metric.name) continue;
        FieldValue value = std::move(metric.value);
        metric = *old;
        metric.value = std::move(value);
        const auto number = number_of(metric.value);
        if (!number || metric.kind == MetricClass::report) continue;
        const double tolerance = metric.atol + metric.rtol * std::abs(*number);
        if (tolerance < metric.spread)
            throw InputError(metric.name + ": its tolerance " + decimal(tolerance) +
                             " is tighter than the range " + decimal(metric.spread) +
                             " between runs; make atol at least that");
    }
    return now;
}

std::string_view to_string(Kind kind) {
    constexpr std::string_view names[] = {"law", "conformance", "claim"};
    return names[static_cast<std::size_t>(kind)];
}

std::string_view to_string(Verdict verdict) {
    constexpr std::string_view names[] = {"holds", "violated", "not_applicable"};
    return names[static_cast<std::size_t>(verdict)];
}

Summary summarize(const Report& report) {
    Summary sum;
    for (const Finding& finding : report.findings) {
        const bool claim = finding.kind == Kind::claim;
        switch (finding.verdict) {
            case Verdict::holds:
                ++(claim ? sum.claims_hold : sum.holds);
                break;
            case Verdict::violated:
                ++(claim ? sum.claims_violated : sum.violated);
                break;
            case Verdict::not_applicable:
                sum.not_applicable += claim ? 0 : 1;
                break;
        }
    }
    return sum;
}

bool gates(const Finding& finding, const std::vector<std::string>& required_claims) {
    return finding.kind != Kind::claim || std::find(required_claims.begin(), required_claims.end(),
                                                    finding.check) != required_claims.end();
}

std::vector<std::string> mistakes_with(const Report& report, const Explanation& one) {
    std::vector<std::string> others;
    for (const Explanation& other : report.diagnosis)
        if (&other != &one && (one.part == other.part || one.part.empty() || other.part.empty()))
            others.push_back(other.mistake);
    return others;
}

std::string diagnosis_title(const Report& report) {
    const auto are_in = [&](std::string_view what) {
        return std::ranges::any_of(report.diagnosis, [&](const Explanation& one) {
            return one.part.find(what) != one.part.npos;
        });
    };
    const std::size_t count = report.diagnosis.size();
    const bool are_together = std::ranges::all_of(report.diagnosis, [&](const Explanation& one) {
        return mistakes_with(report, one).size() + 1 == count;
    });
    std::string title;
    if (count > 1) title = decimal(count) + " mistakes" + (are_together ? " together" : "");
    if (!are_together)
        title += std::string(", in different ") + (are_in("batch") ? "batch entries" : "") +
                 (are_in("batch") && are_in("head") ? " and " : "") +
                 (are_in("head") ? "heads" : "");
    if (report.unexplained.empty()) return title;
    return (title.empty() ? "1 mistake" : title) + "; not explained: " + report.unexplained;
}

std::string first_observation(const Report& report) {
    std::string text;
    for (const std::string& one : report.observations) {
        text += (text.empty() ? "" : " ") + one;
        if (!text.ends_with(':')) break;
    }
    return text;
}

int exit_code(const Report& report, const std::vector<std::string>& required_claims) {
    const auto any = [&](Verdict verdict) {
        return std::any_of(report.findings.begin(), report.findings.end(),
                           [&](const Finding& finding) {
                               return finding.verdict == verdict && gates(finding, required_claims);
                           });
    };
    if (any(Verdict::violated)) return 1;
    return any(Verdict::holds) ? 0 : 2;
}

namespace {

// Largest ratio of observed to allowed after one more rotation, which adds its rounding to every
// value and all of its rounding to the values of position 0.
constexpr double little = 4;

bool is_by_little(const Finding& finding, double of_a_value) {
    return finding.observed <= little * finding.allowed ||
           (finding.check == "identity-at-zero" && finding.observed <= of_a_value);
}

}  // namespace

bool is_fault(const Finding& finding) {
    return finding.kind != Kind::claim && finding.verdict == Verdict::violated &&
           finding.check != "max-error";
}

bool is_marginal(const Report& report) {
    const Finding* accuracy = find_finding(report, "table-accuracy");
    bool any = false;
    for (const Finding& finding : report.findings) {
        if (!is_fault(finding)) continue;
        any = true;
        if (!accuracy || !is_by_little(finding, accuracy->allowed)) return false;
    }
    return any;
}

}  // namespace rope
