// The ledger of statements about rotary embeddings in articles and papers: the text of an entry,
// the numbers computed for it, and the conclusions that must hold.
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
// A decimal number as printed in a text; its digits define its precision.
class Figure {
  public:
    // Accepts digits with an optional point and exponent: "2049", "0.7168", "-1.53e-3".
    explicit Figure(std::string_view text);

    std::string_view text() const { return text_; }
    BigReal value() const;
    BigReal last_place() const;  // returns one unit of the last digit

    // Returns whether x is within half a unit of the last digit; an integer must be equal.
    bool is_met_by(const BigReal& x) const;

  private:
    std::string text_;
    long decimals_ = 0;  // number of decimals after the point
    long exponent_ = 0;
    bool is_whole_ = true;
};

// Status of a statement.
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
std::span<const Word> verdicts();  // one for each Status, in the same order

std::string_view to_string(Status status);

// One line of an entry: a sentence, a number to compute, or a conclusion for or against the
// statement.
struct Line {
    enum class Kind { sentence, number, in_favour, against };
    Kind kind;
    std::string_view text;  // for a number, its label
    std::string_view figure = {}, unit = {};
};

struct Work;
class Derivation;
using Compute = void (*)(Derivation&);

// A statement of an article or a paper from data/claims, and its computation.
struct Entry {
    const Work* work;
    std::string_view id;       // the work, then a name: "001-c3-R3"
    std::string_view section;  // section of the work that contains it
    Status status;
    std::string_view quote = {};      // original words, or the place of the statement
    std::string_view statement = {};  // one line, in our words
    std::vector<Line> lines = {};
    std::string_view see = {};  // a command for details
    Compute compute = nullptr;
};

struct Number {
    std::string label;
    BigReal computed;
    Figure recorded;  // value in the ledger
    std::string unit;

    bool agrees() const { return recorded.is_met_by(computed); }
    // Returns the recorded digits if they agree, else the computed number as a double.
    std::string text() const;
};

// A sentence with its numbers, or a conclusion and whether its condition holds.
struct Step {
    std::string sentence;
    std::vector<Number> numbers = {};
    Line::Kind kind = Line::Kind::sentence;
    bool holds = true;
};

// Goes through the lines of an entry, while its computation supplies the numbers and conclusions in
// the same order. Throws std::logic_error if the computation and the text do not match.
class Derivation {
  public:
    explicit Derivation(const Entry& entry) : entry_(&entry) {}

    // Adds the next number of the text and returns it for later conclusions.
    BigReal number(BigReal computed);
    double number(double computed) { return number(real(computed)).to_double(); }
    double number(std::integral auto computed) { return number(static_cast<double>(computed)); }
    auto number(const auto&... computed) { return std::tuple{number(computed)...}; }

    // Adds the next conclusion of the text with its result.
    void conclude(bool holds);

    void finish();  // requires that no line is left

    const Entry& entry() const { return *entry_; }
    const std::vector<Step>& steps() const { return steps_; }
    bool is_supported() const;  // returns supports(steps(), entry().status)

  private:
    const Line* next(std::string_view wanted);

    const Entry* entry_;
    std::vector<Step> steps_;
    std::size_t line_ = 0;
};

// Returns the derivation of an entry, computed now.
Derivation derive(const Entry& entry);

// Returns whether every number agrees, every conclusion holds, and the evidence fits the status:
// only in favour for a theorem or a definition, both kinds for a range or a reading, against for a
// statement that is false, some in favour for computed or empirical ones.
bool supports(const std::vector<Step>& steps, Status status);

// Computations of the entries by id. Each function below adds those of the file with its name.
using Computations = std::map<std::string_view, Compute>;

void articles_000_and_002(Computations& compute);
void article_001(Computations& compute);
void articles_003_and_004(Computations& compute);
void papers_on_decay(Computations& compute);
void papers_on_bases(Computations& compute);
void papers_since_2023(Computations& compute);

struct Work {
    std::string_view key;    // "001", "2405.14591"
    std::string_view title;  // with authors
    std::vector<Entry> entries;
};

// Returns the texts of data/claims, articles first.
std::span<const std::string_view> claims_texts();

// Returns the works parsed from these texts, whose format is
//   == KEY | TITLE             a work, followed by its entries
//   -- ID | STATUS | SECTION
//   quote: WORDS               the original words, or the place of the statement
//   claim: WORDS               the statement in our words
//   see: COMMAND
// followed by the derivation, whose lines are sentences, numbers to compute ("  LABEL = FIGURE
// UNIT"), and conclusions for ("so: ") and against ("but: ") the statement.
const std::vector<Work>& works();

// Returns the entries of all works.
std::vector<const Entry*> all_entries();

}  // namespace rope::ledger
