// What relative-position knows of the rows of one range of pairs.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/task_source.hpp"
#include "rope/checks/check.hpp"
#include "rope/checks/columns.hpp"
#include "rope/checks/comparison.hpp"

namespace rope {

// Rows between two powers of two.
struct Octave {
    double last_position = 0;
    std::vector<double> square = {};  // the largest |w|² of each pair; empty: no rows
    std::vector<double> norm = {};    // the largest |v|²
};

using Prefixes = std::vector<std::vector<PrefixWorst>>;  // of each pair

struct PairBlock {
    PairRange pairs;
    std::vector<Octave> octaves = {};
    Prefixes prefixes = {};  // every one, or those below 1024
    std::vector<char> whole = {};

    std::vector<double> largest_norms() const;  // of each pair over all rows
    // Rows that come after these.
    void merge(const PairBlock& later);
};

void exchange(Archive& archive, Octave& octave);
void exchange(Archive& archive, PairBlock& block);

// Pairs of one vector register, whose prefixes are searched together.
inline constexpr std::uint32_t searched_together = 8;

// Every prefix of the pairs of the block from `first` on, a multiple of those searched together.
Prefixes search_prefixes(const Comparison& comparison, const PairBlock& block, std::uint32_t first);
// What that found.
void keep(PairBlock& block, std::uint32_t first, Prefixes found);

// Of R(m)ᵀR(n), with each row to that position within ε: 2ε + ε².
double pair_allowance(const Comparison& comparison, double position, std::uint32_t pair);
// The prefixes of a pair of the block.
void add_to(WorstCase& worst_case, const Comparison& comparison, const PairBlock& block,
            std::uint32_t i);

// R(m)ᵀR(n) = a²R(n − m) for every pair of positions and every frequency, the subject's own
// frequency being what R turns by. With each row within ε of its place, a pair is within
// 2ε + ε²; ε grows with position, so each power-of-two prefix has its own allowance.

class PairColumns;

class RelativePosition final : public RowCheck {
  public:
    RelativePosition(const Comparison& comparison, PairRange pairs);
    ~RelativePosition() override;

    void observe(const Tile& tile) override;
    void finish() override;
    void exchange(Archive& archive) override;
    void merge(RowCheck& next) override;
    void report_to(Finding& finding) override;

    // Per pair of lanes, the worst of all pairs of positions.
    std::vector<WorstPair> worst_pairs();

  private:
    const Comparison& comparison_;
    std::uint64_t samples_ = 0;
    std::vector<PairBlock> blocks_;  // the last is being observed
    std::optional<CommonTurn> common_turn_;
    std::unique_ptr<PairColumns> columns_;  // while near positions are observed
};

// The columns whose every pair of positions has to be looked at, as tasks.

// Looking at every pair of a column is only needed where it could change the report. With
// |w_m| ≤ r, w = ẑ·conj(z̃·t)/a − 1 and t whatever all rows have in common (common_turn.hpp), every
// pair of the column is within 2r + r², and with |v_m| ≤ M within M² + 1: where that is less than
// the worst share of an allowance found so far, the column is done. The first 1024 positions, whose
// allowances are least, are always visited.
//
// The most suspicious columns come first. What a search finds counts when all before it have, and
// only if the column could still change the report then, whichever thread searched the others.
class ColumnSearches final : public TaskSource {
  public:
    ColumnSearches(const Comparison& comparison, std::vector<PairBlock>& blocks);

    std::optional<Bytes> next() override;
    void take(const Bytes& task, const Bytes& result) override;
    Bytes perform(const Bytes& task) const override;

  private:
    struct Candidate {
        double bound, allowed;
        std::size_t block;
        std::uint32_t pair;  // of the block
    };
    using Search = std::array<std::uint64_t, 2>;  // the block, and the first of its pairs

    static Search search_of(const Candidate& candidate);
    std::optional<Candidate> most_suspicious_prefix(std::size_t block, std::uint32_t i) const;
    bool matters(const Candidate& candidate) const;
    bool is_whole(const Candidate& candidate) const;
    void count_found();

    const Comparison& comparison_;
    std::vector<PairBlock>& blocks_;
    std::vector<Candidate> candidates_;  // at most one of a pair, the most suspicious first
    std::size_t counted_ = 0;            // of these
    std::map<Search, std::optional<Prefixes>> searches_;  // begun; and what they found
    WorstCase found_;
};

}  // namespace rope
