// How a statement of the ledger is derived: figures, sentences and conclusions. The list of
// statements of each work.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

// How an entry of the ledger is derived: sentences, numbers that are computed, and what follows.

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

// One statement of an article or a paper, and how it is derived.

struct Entry {
    std::string_view id;         // "001-c3-literal": the work, then a name
    std::string_view section;    // of the work, where it is stated
    std::string_view statement;  // one line, in our words
    Status status;
    void (*derive)(Derivation& d);
    std::string_view see = {};  // a command that shows more
};

// The five articles' entries, each list defined in the file of its name.

// 000: a blog's derivation with a torch module
std::span<const Entry> word_order();
std::span<const Entry> rotation_formula();
std::span<const Entry> torch_listing();

// 001: He & Xu, Easy Derivation of Rotary Position Embeddings
std::span<const Entry> index_ranges();
std::span<const Entry> orthogonal_maps();
std::span<const Entry> scaled_figures();
std::span<const Entry> c3_readings();
std::span<const Entry> c3_sums();
std::span<const Entry> scaled_range();
std::span<const Entry> scaled_cost();
std::span<const Entry> scaled_precision();

// 002: a walk through labml, ChatGLM-6B and GLM-4-9B
std::span<const Entry> labml_module();
std::span<const Entry> chatglm_cache();
std::span<const Entry> glm4_module();

// 003: two-dimensional RoPE
std::span<const Entry> two_dimensions();
std::span<const Entry> image_listing();

// 004: notes on pairings, ALiBi and sinusoidal encodings
std::span<const Entry> encodings();
std::span<const Entry> two_classes();

// The papers' entries, each list defined in the file of its name.

std::span<const Entry> sinusoidal_encoding();     // 1706.03762
std::span<const Entry> roformer_bound();          // 2104.09864
std::span<const Entry> alibi_heads();             // 2108.12409
std::span<const Entry> xpos_decay();              // 2212.10554
std::span<const Entry> position_interpolation();  // 2306.15595
std::span<const Entry> ntk_aware();               // 2309.00071, §3.1
std::span<const Entry> yarn_ramps();              // 2309.00071
std::span<const Entry> extrapolation_laws();      // 2310.05209
std::span<const Entry> longrope_factor();         // 2402.13753
std::span<const Entry> resonance_periods();       // 2403.00071
std::span<const Entry> men_table();               // 2405.14591, Table 2
std::span<const Entry> base_bounds();             // 2405.14591, the rest
std::span<const Entry> round_and_round();         // 2410.06205
std::span<const Entry> aliasing();                // 2410.06205, §6
std::span<const Entry> bfloat16_relativity();     // 2411.13476

}  // namespace rope::ledger
