// What a check is: the worst value of a stream of comparisons, the shapes that a check can have,
// and the entry point of each check and claim.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "rope/checks/comparison.hpp"
#include "rope/checks/sample.hpp"
#include "rope/report/report.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

// The worst of a stream of comparisons, judged by observed over allowed.

// NaN is worst and sticky. No samples is never "holds".
class WorstCase {
  public:
    void add_samples(std::uint64_t count) { samples_ += count; }

    // The witness is made only for a new worst.
    template <class MakeWitness>
    void add(double observed, double allowed, MakeWitness make_witness) {
        if (!is_worse(observed, allowed)) return;
        observed_ = observed;
        allowed_ = allowed;
        worst_ = make_witness();
    }

    // The same, and a violation where it is beyond its allowance.
    template <class MakeWitness>
    void judge(double observed, double allowed, double position, std::uint32_t pair,
               MakeWitness make_witness) {
        add(observed, allowed, make_witness);
        if (!(observed <= allowed)) add_violation(position, pair);
    }

    // A value beyond its allowance; the first is kept, outward from 0 and then by pair.
    void add_violation(double position, std::uint32_t pair) {
        Violations& known = violations_;
        if (known.count++ != 0 && !is_nearer_zero(position, known.first_position) &&
            (position != known.first_position || pair >= known.first_pair))
            return;
        known.first_position = position;
        known.first_pair = pair;
    }

    // Whether all values beyond their allowances at this position and further come after the first.
    bool has_violation_before(double position) const {
        return violations_.count != 0 && is_nearer_zero(violations_.first_position, position);
    }
    // So many of them.
    void add_violations(std::uint64_t count) { violations_.count += count; }

    // The same comparisons, had those of `later` come after this worst_case's. Whether its worst is
    // the worst now.
    bool merge(const WorstCase& later) {
        samples_ += later.samples_;
        const Violations& added = later.violations_;
        if (added.count != 0) {
            add_violation(added.first_position, added.first_pair);
            violations_.count += added.count - 1;
        }
        if (!later.worst_ || !is_worse(later.observed_, later.allowed_)) return false;
        observed_ = later.observed_;
        allowed_ = later.allowed_;
        worst_ = later.worst_;
        return true;
    }

    // What is observed within this share of its allowance is neither worse nor a violation.
    double sure_share() const {
        if (!worst_) return 0;
        const bool beyond = !(observed_ < allowed_);  // NaN too
        return beyond ? 1 : observed_ / allowed_ * (1 - 0x1p-50);
    }

    bool is_worse(double observed, double allowed) const {
        if (!worst_) return true;
        if (std::isnan(observed_)) return false;
        if (std::isnan(observed)) return true;
        if (observed_ == 0) return observed > 0;  // 0 of 0 is no error
        if (allowed_ == 0 && allowed == 0) return observed > observed_;
        return observed * allowed_ > observed_ * allowed;
    }

    Verdict verdict() const {
        if (samples_ == 0) return Verdict::not_applicable;
        return observed_ <= allowed_ && violations_.count == 0 ? Verdict::holds : Verdict::violated;
    }

    void report_to(Finding& finding) const {
        finding.verdict = verdict();
        finding.samples = samples_;
        if (samples_ == 0) return;
        finding.observed = observed_;
        finding.allowed = allowed_;
        finding.worst = worst_;
        if (violations_.count != 0) finding.violations = violations_;
    }

  private:
    double observed_ = 0, allowed_ = 0;
    std::uint64_t samples_ = 0;
    std::optional<Witness> worst_;
    Violations violations_;
};

// What a check may know, and the shapes a check can have.

// Up to 32 rows of some pairs: the subject, the truth, and the exact rows of the subject's own
// frequencies. rows × pairs.count values each, row-major.
struct Tile {
    std::span<const double> positions;
    PairRange pairs;
    const double* cos;
    const double* sin;
    const double* true_cos;  // without the attention factor
    const double* true_sin;
    const double* effective_cos;
    const double* effective_sin;
    std::uint64_t first_row = 0;  // of the subject, on the axis of these pairs
    // Of each value whether the subject says nothing, and it is as the truth is; empty: none
    std::span<const std::uint8_t> left_out = {};

    bool is_left_out(std::size_t k) const { return !left_out.empty() && left_out[k] != 0; }
};

// A check over every row, made for one range of pairs and one run of rows. Runs may be observed
// side by side; they are merged in order, so that a report does not depend on who observed what.
class RowCheck {
  public:
    virtual ~RowCheck() = default;
    // Tiles of its pairs, outward from position 0.
    virtual void observe(const Tile& tile) = 0;
    // Takes over what `next` saw, which the same function made for the next rows or pairs.
    virtual void merge(RowCheck& next) = 0;
    virtual void report_to(Finding& finding) = 0;
};

// The shapes of a check, each a function:
//   MakeRowCheck   over every row and pair
//   CheckSample    over the sample's rows, with the sample's vectors
//   JudgeClaim     a claim about the Spec alone
//   CheckAnswers   over all that an audited program answered; no part of other reports
using MakeRowCheck = std::unique_ptr<RowCheck> (*)(const Comparison&, PairRange);
using CheckSample = void (*)(const Comparison&, const Sample&, Finding&);
using JudgeClaim = void (*)(const Comparison&, Finding&);
using CheckAnswers = void (*)(const Comparison&, const Answers&, Finding&);

// One row of the explicit table of all checks.
struct Check {
    std::string_view id;
    Kind kind;
    std::string_view statement;
    std::string_view source;
    std::variant<MakeRowCheck, CheckSample, JudgeClaim, CheckAnswers> run;
    std::string_view claim = {};  // that it is a reading of, "c3", and which: "R3"
    std::string_view reading = {};
    bool applies_at_position_zero = false;  // of position 0 alone
    bool grows_with_position = false;       // its allowance does
    bool needs_max_error = false;           // else it is no part of a report
    bool needs_negative = false;            // positions; no part of other reports
    bool needs_16_bits = false;             // a dump or an audit in them; no part of other reports

    template <class Shape>
    bool is() const {
        return std::holds_alternative<Shape>(run);
    }
};

// The entry point of every check; each is defined in the file of its name.

std::unique_ptr<RowCheck> make_table_accuracy(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_max_error(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_identity_at_zero(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_orthogonality(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_inverse(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_relative_position(const Comparison& comparison, PairRange pairs);

void check_linearity(const Comparison& comparison, const Answers& answers, Finding& finding);
void check_structure(const Comparison& comparison, const Answers& answers, Finding& finding);

void check_score_accuracy(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_pair_norm(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_self_inner_product(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_composition(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_turn_rate(const Comparison& comparison, const Sample& sample, Finding& finding);
// The same of a dump in 16 bits that has no rows of its own; `table`: checks/turn_rate.hpp.
void judge_turn_rate(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table,
                     Finding& finding);
void check_pass_through(const Comparison& comparison, const Sample& sample, Finding& finding);

// The entry point of every claim; each is defined in the file of its name.

// Positions times pairs to which claims are searched beyond the context: ten seconds. A position
// takes as long as 16 pairs of it, at least.
inline constexpr std::uint64_t most_searched = std::uint64_t{1} << 33;

// How far claims are searched: the context, and 8·max_position_embeddings within most_searched.
std::uint64_t search_limit(const Comparison& comparison);

// The fields of a claim's search: the first s at which something happens, and how far was searched.
Field first_event(const char* event, const std::optional<std::uint64_t>& s);
Field searched_to(std::uint64_t last);

// "-0.653644 at s = 4, after -0.989992 at s = 3": how a value that should fall or grow does not.
std::string step_in_words(double before, double at, std::uint64_t s);

// The first s at which a curve that should fall rises.
struct Rise {
    std::optional<std::uint64_t> first = {};  // empty: none was found
    double before = 0, at = 0;                // the curve at first − 1 and at first
    const char* constant = nullptr;           // why the curve is the same at every s
};
// The verdict over [0, context], and the rise as witness; where violated, the curve's name and why
// it rises. The claim is not about a constant curve.
void report_rise(const Comparison& comparison, const Rise& rise, const char* curve, const char* why,
                 Finding& finding);

void judge_c3_literal(const Comparison& comparison, Finding& finding);          // R0
void judge_c3_angle(const Comparison& comparison, Finding& finding);            // R1
void judge_c3_cosine(const Comparison& comparison, Finding& finding);           // R2
void judge_c3_modulus(const Comparison& comparison, Finding& finding);          // R3
void judge_c3_weighted_cosine(const Comparison& comparison, Finding& finding);  // R4
void judge_score_decay(const Comparison& comparison, Finding& finding);         // R5
void judge_roformer_decay(const Comparison& comparison, Finding& finding);      // R6

}  // namespace rope
