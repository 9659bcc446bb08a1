// How a statement of the ledger is derived: its text, the numbers that are computed for it, and the
// conclusions that must hold.
#pragma once

#include <concepts>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "rope/exact/big_real.hpp"

namespace rope::ledger {

// A decimal as a text prints it: its digits say how exactly it is known.
class Figure {
  public:
    // "2049", "0.7168", "-1.53e-3": digits, with a point and an exponent or without
    explicit Figure(std::string_view text);

    std::string_view text() const { return text_; }
    BigReal value() const;
    BigReal last_place() const;  // one unit of its last digit

    // Within half a unit of the last digit; a whole number must be met exactly.
    bool is_met_by(const BigReal& x) const;

    // x rounded to the same last digit, in the same notation.
    std::string rounded(const BigReal& x) const;

  private:
    std::string text_;
    long decimals_ = 0;  // after the point
    long exponent_ = 0;
    bool is_whole_ = true;
};

// What a statement is worth.
enum class Status {
    definition,
    theorem,
    computed,
    on_a_range,
    under_one_reading,
    false_as_stated,
    empirical
};

struct Word {
    std::string_view name, meaning;
};
std::span<const Word> verdicts();  // of each Status in turn: "true on a range", and what it means

std::string_view to_string(Status status);

// A line of an entry's text: a sentence, a number to compute, or a conclusion for or against the
// statement.
struct Line {
    enum class Kind { sentence, number, in_favour, against };
    Kind kind;
    std::string_view text;  // of a number its label
    std::string_view figure = {}, unit = {};
};

class Derivation;
using Compute = void (*)(Derivation&);

// One statement of an article or a paper, as data/claims has it, and its computation.
struct Entry {
    std::string_view id;       // "001-c3-R3": the work, then a name
    std::string_view section;  // of the work, where it is stated
    Status status;
    std::string_view quote = {};      // the original words, or where the statement is from
    std::string_view statement = {};  // one line, in our words
    std::vector<Line> lines = {};
    std::string_view see = {};  // a command that shows more
    Compute compute = nullptr;
};

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

// Goes through the lines of an entry while its computation supplies the numbers and conclusions, in
// the order of the text. A std::logic_error where the two disagree about what comes next.
class Derivation {
  public:
    explicit Derivation(const Entry& entry) : entry_(&entry) {}

    // The next number of the text. Returns what was computed, for the conclusions that follow.
    BigReal number(BigReal computed);
    double number(double computed) { return number(real(computed)).to_double(); }
    double number(std::integral auto computed) { return number(static_cast<double>(computed)); }
    auto number(const auto&... computed) { return std::tuple{number(computed)...}; }

    // Whether the next conclusion of the text holds.
    void conclude(bool holds);

    void finish();  // the text must end here

    const Entry& entry() const { return *entry_; }
    const std::vector<Step>& steps() const { return steps_; }

  private:
    const Line* next(std::string_view wanted);

    const Entry* entry_;
    std::vector<Step> steps_;
    std::size_t line_ = 0;
};

Derivation derive(const Entry& entry);

// Every number agrees, every conclusion holds, and the evidence is of the kind that the status
// needs: in favour alone for a theorem or a definition, some of both for a range or a reading, a
// counterexample for what is false as stated, some in favour for what is computed or empirical.
bool supports(const std::vector<Step>& steps, Status status);

// What computes the numbers of each entry. A function adds those of the file of its name.
using Computations = std::map<std::string_view, Compute>;

void articles_000_and_002(Computations& compute);
void article_001(Computations& compute);
void articles_003_and_004(Computations& compute);
void papers_on_decay(Computations& compute);
void papers_on_bases(Computations& compute);
void papers_since_2023(Computations& compute);

}  // namespace rope::ledger
