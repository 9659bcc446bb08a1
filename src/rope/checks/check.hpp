// The parts of a check: its worst value, the shapes it can have, and the entry points of all checks
// and claims.
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
#include "rope/checks/report.hpp"
#include "rope/checks/sample.hpp"
#include "rope/exact/memory.hpp"
#include "rope/kernels/kernels.hpp"
#include "rope/rows/row_source.hpp"
#include "rope/spec/frequency.hpp"

namespace rope {

// Collects compared values and keeps the worst one, the value with the largest observed/allowed.

// NaN is worse than any number. Without samples the verdict is not_applicable, never holds.
class WorstCase {
  public:
    void add_samples(std::uint64_t count) { samples_ += count; }

    // make_witness is called only if the value is the worst so far.
    template <class MakeWitness>
    void add(double observed, double allowed, MakeWitness make_witness) {
        if (!is_worse(observed, allowed)) return;
        observed_ = observed;
        allowed_ = allowed;
        worst_ = make_witness();
    }

    // Adds a dimension that must not change.
    void add_passed(double position, double got, double want) {
        add_samples(1);
        add(std::abs(got - want), 0, [&] { return Witness{{position}, std::nullopt, got, want}; });
    }

    // Does the same, and counts a violation if the value exceeds its tolerance.
    template <class MakeWitness>
    void judge(double observed, double allowed, double position, std::uint32_t pair,
               MakeWitness make_witness) {
        add(observed, allowed, make_witness);
        if (!(observed <= allowed)) add_violation(position, pair);
    }

    // Does the same with |got − want|, and a witness of both.
    void judge_value(double got, double want, double allowed, double position, std::uint32_t pair) {
        judge(std::abs(got - want), allowed, position, pair,
              [&] { return Witness{{position}, pair, got, want}; });
    }

    // Counts a violation; keeps the first in order of |position|, then pair.
    void add_violation(double position, std::uint32_t pair) {
        Violations& known = violations_;
        known.last_pair = std::max(known.last_pair, pair);
        if (known.count++ != 0 && !is_nearer_zero(position, known.first_position) &&
            (position != known.first_position || pair >= known.first_pair))
            return;
        known.first_position = position;
        known.first_pair = pair;
    }

    // Returns whether the first violation lies before `position` and all positions after it.
    bool has_violation_before(double position) const {
        return violations_.count != 0 && is_nearer_zero(violations_.first_position, position);
    }
    // Counts violations of a pair that are not the first.
    void add_violations(std::uint64_t count, std::uint32_t pair) {
        violations_.count += count;
        if (count != 0) violations_.last_pair = std::max(violations_.last_pair, pair);
    }

    // Adds the values of `later`, as if they had followed. Returns whether its worst value is now
    // the worst of all.
    bool merge(const WorstCase& later) {
        samples_ += later.samples_;
        const Violations& added = later.violations_;
        if (added.count != 0) {
            add_violation(added.first_position, added.first_pair);
            add_violations(added.count - 1, added.last_pair);
        }
        if (!later.worst_ || !is_worse(later.observed_, later.allowed_)) return false;
        observed_ = later.observed_;
        allowed_ = later.allowed_;
        worst_ = later.worst_;
        return true;
    }

    // Returns the share of a tolerance up to which a value is neither worse nor a violation.
    double sure_share() const {
        if (!worst_) return 0;
        const bool beyond = !(observed_ < allowed_);  // true for NaN
        return beyond ? 1 : observed_ / allowed_ * (1 - 0x1p-50);
    }

    bool is_worse(double observed, double allowed) const {
        if (!worst_) return true;
        if (std::isnan(observed_)) return false;
        if (std::isnan(observed)) return true;
        if (observed_ == 0) return observed > 0;  // 0 allowed and 0 observed is no error
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

// Up to 32 rows of some pairs: the subject, the exact rows, and the exact rows of the subject's
// frequencies, each with rows × pairs.count values, row-major.
struct Tile {
    std::span<const double> positions;
    PairRange pairs;
    const double* cos;
    const double* sin;
    const double* true_cos;  // without the attention factor
    const double* true_sin;
    const double* effective_cos;
    const double* effective_sin;
    std::uint64_t first_row = 0;  // the subject's first row, in the order of its axis
    // 1 for values that the subject does not determine, which are set to the exact ones; empty:
    // none
    std::span<const std::uint8_t> left_out = {};

    bool is_left_out(std::size_t k) const { return !left_out.empty() && left_out[k] != 0; }
};

// A check of every row, for one range of pairs and one run of rows. Several runs may be observed in
// parallel; they are merged in order, so that the report does not depend on the threads.
class RowCheck {
  public:
    virtual ~RowCheck() = default;
    // Takes tiles of its pairs in order of |position|.
    virtual void observe(const Tile& tile) = 0;
    // Adds the results of `next`, made by the same function for the rows or pairs that follow.
    virtual void merge(RowCheck& next) = 0;
    virtual void report_to(Finding& finding) = 0;
};

// A check of rows that reports its worst value, or `why_none` if it has none.
class WorstCaseCheck : public RowCheck {
  public:
    explicit WorstCaseCheck(const char* why_none = "") : why_none_(why_none) {}
    void merge(RowCheck& next) override {
        worst_case_.merge(static_cast<WorstCaseCheck&>(next).worst_case_);
    }
    void report_to(Finding& finding) override {
        worst_case_.report_to(finding);
        if (finding.samples == 0) finding.note = why_none_;
    }

  protected:
    WorstCase worst_case_;

  private:
    const char* why_none_;
};

// Shapes of a check, each a function type:
//   MakeRowCheck   checks every row and pair
//   CheckSample    checks the sample's rows with the sample's vectors
//   JudgeClaim     decides a claim about the Spec only
//   CheckAnswers   checks all answers of an audited program; left out of other reports
using MakeRowCheck = std::unique_ptr<RowCheck> (*)(const Comparison&, PairRange);
using CheckSample = void (*)(const Comparison&, const Sample&, Finding&);
using JudgeClaim = void (*)(const Comparison&, Finding&);
using CheckAnswers = void (*)(const Comparison&, const Answers&, Finding&);

// One row of the table of all checks.
struct Check {
    std::string_view id;
    Kind kind;
    std::string_view statement;
    std::string_view source;
    std::variant<MakeRowCheck, CheckSample, JudgeClaim, CheckAnswers> run;
    std::string_view claim = {};  // the claim, "c3", of which this check is a reading
    std::string_view reading = {};
    bool applies_at_position_zero = false;  // checks position 0 only
    bool grows_with_position = false;       // the tolerance grows with the position
    bool needs_max_error = false;           // left out of a report without max_error
    bool needs_negative = false;            // left out of a report without negative positions
    bool needs_16_bits = false;             // left out of a report without 16-bit values

    template <class Shape>
    bool is() const {
        return std::holds_alternative<Shape>(run);
    }
};

std::unique_ptr<RowCheck> make_table_accuracy(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_max_error(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_identity_at_zero(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_orthogonality(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_inverse(const Comparison& comparison, PairRange pairs);
std::unique_ptr<RowCheck> make_relative_position(const Comparison& comparison, PairRange pairs);

void check_linearity(const Comparison& comparison, const Answers& answers, Finding& finding);
void check_structure(const Comparison& comparison, const Answers& answers, Finding& finding);
// Is no part of a report whose answers have neither call_faults nor compared_rows.
inline constexpr std::string_view calls_check = "calls";
void check_calls(const Comparison& comparison, const Answers& answers, Finding& finding);

void check_score_accuracy(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_pair_norm(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_self_inner_product(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_composition(const Comparison& comparison, const Sample& sample, Finding& finding);
void check_turn_rate(const Comparison& comparison, const Sample& sample, Finding& finding);
// Checks a 16-bit dump that has no rows; `table` is explained in checks/turn_rate.hpp.
void judge_turn_rate(const Spec& spec, const FrequencyPlan& plan, const Dump& dump, Format table,
                     Finding& finding);
void check_pass_through(const Comparison& comparison, const Sample& sample, Finding& finding);
WorstCase worst_of_passed_dimensions(const Spec& spec, const RotatedDump& vectors,
                                     unsigned threads = 1);

// Limit of positions × pairs of a claim's search beyond the context, about ten seconds. A position
// takes at least as long as 16 pairs.
inline constexpr std::uint64_t most_searched = std::uint64_t{1} << 33;

void judge_c3_literal(const Comparison& comparison, Finding& finding);          // R0
void judge_c3_angle(const Comparison& comparison, Finding& finding);            // R1
void judge_c3_cosine(const Comparison& comparison, Finding& finding);           // R2
void judge_c3_modulus(const Comparison& comparison, Finding& finding);          // R3
void judge_c3_weighted_cosine(const Comparison& comparison, Finding& finding);  // R4
void judge_score_decay(const Comparison& comparison, Finding& finding);         // R5
void judge_roformer_decay(const Comparison& comparison, Finding& finding);      // R6

// Exact values of a tile times the amplitude, a·z.
class ScaledTruth {
  public:
    explicit ScaledTruth(double amplitude) : amplitude_(amplitude) {}

    // The result is valid until the next call.
    CosSin of(const Tile& tile);

  private:
    double amplitude_;
    AlignedVector<double> cos_, sin_;
};

// Returns a position as a field: an integer if it is one and not negative; empty without a
// position.
FieldValue position_value(std::optional<double> position);

}  // namespace rope
