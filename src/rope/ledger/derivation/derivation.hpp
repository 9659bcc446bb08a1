// How an entry of the ledger is derived: sentences, numbers that are computed, and what follows.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rope/exact/big_real.hpp"
#include "rope/ledger/derivation/figure.hpp"

namespace rope::ledger {

// What a statement is worth.
//   theorem          proved, and confirmed here
//   on_a_range       true as far as a range or under a condition, false beyond
//   false_as_stated  refuted by a counterexample
//   empirical        measured: true of these numbers, and not proved of others
enum class Status { theorem, on_a_range, false_as_stated, empirical };

std::string_view to_string(Status status);  // "true on a range"

struct Number {
    std::string label;
    BigReal computed;
    Figure recorded;  // what the ledger has, to its last digit
    std::string unit;

    bool agrees() const { return recorded.is_met_by(computed); }
    std::string text() const { return recorded.rounded(computed); }
};

// Evidence is for the statement or against it, if its condition holds.
enum class Evidence { none, in_favour, against };

struct Step {
    std::string sentence;
    std::vector<Number> numbers = {};
    Evidence evidence = Evidence::none;
    bool holds = true;
};

class Derivation {
  public:
    // `corrupted` is the number that is off by two units of its last recorded digit: tests show
    // with it that a verdict depends on each.
    explicit Derivation(std::optional<std::size_t> corrupted = {}) : corrupted_(corrupted) {}

    void say(std::string sentence) { steps_.push_back({std::move(sentence)}); }
    // Under the last sentence. Returns what was computed, for the conditions that follow.
    BigReal number(std::string label, BigReal computed, std::string_view recorded,
                   std::string_view unit = {});
    double number(std::string label, double computed, std::string_view recorded,
                  std::string_view unit = {});
    std::size_t numbers() const { return numbers_; }

    // What supports the statement, and what contradicts it.
    void confirm(std::string sentence, bool holds);
    void refute(std::string sentence, bool holds);

    const std::vector<Step>& steps() const { return steps_; }

  private:
    std::vector<Step> steps_;
    std::size_t numbers_ = 0;
    std::optional<std::size_t> corrupted_;
};

// Every number agrees, every condition holds, and the evidence is of the kind that the status
// needs: in favour alone for a theorem, some of both for a range, a counterexample for what is
// false as stated, some in favour for what is empirical.
bool supports(const Derivation& derivation, Status status);

}  // namespace rope::ledger
