// What a check may know, and the shapes a check can have.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <variant>

#include "base/archive.hpp"
#include "rope/comparison/comparison.hpp"
#include "rope/comparison/sample.hpp"
#include "rope/report/report.hpp"
#include "rope/spec/frequency.hpp"
#include "rope/subject/row_source.hpp"

namespace rope {

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
    // After the last tile of the run.
    virtual void finish() {}
    // What a finished check saw; one that reads it is as one that saw it, whatever its own pairs.
    virtual void exchange(Archive& archive) = 0;
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
    bool says_something_at_zero = false;  // of position 0 alone
    bool grows_with_position = false;     // its allowance does
    bool needs_max_error = false;         // else it is no part of a report
    bool needs_negative = false;          // positions; no part of other reports
    bool needs_16_bits = false;           // a dump or an audit in them; no part of other reports

    template <class Shape>
    bool is() const {
        return std::holds_alternative<Shape>(run);
    }
};

}  // namespace rope
