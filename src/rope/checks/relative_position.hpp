// R(m)ᵀR(n) = a²R(n − m) for every pair of positions and every frequency, the subject's own
// frequency being what R turns by. With each row within ε of its place, a pair is within
// 2ε + ε²; ε grows with position, so each power-of-two prefix has its own allowance.
#pragma once

#include <memory>
#include <vector>

#include "rope/columns/common_turn.hpp"
#include "rope/columns/prefix.hpp"
#include "rope/comparison/check.hpp"
#include "rope/comparison/worst_case.hpp"

namespace rope {

class PairColumns;

// Looking at every pair of a column is only needed where it could change the report. With
// |w_m| ≤ r, w = ẑ·conj(z̃·t)/a − 1 and t whatever all rows have in common (common_turn.hpp), every
// pair of the column is within 2r + r², and with |v_m| ≤ M within M² + 1: where that is less than
// the worst share of an allowance found so far, the column is done. The first 1024 positions, whose
// allowances are least, are always visited.
class RelativePosition final : public RowCheck {
  public:
    RelativePosition(const Comparison& comparison, PairRange pairs);
    ~RelativePosition() override;

    void observe(const Tile& tile) override;
    void finish() override;
    void merge(RowCheck& next) override;
    void report_to(Finding& finding) override;

    // Per pair of lanes, the worst of all pairs of positions.
    std::vector<WorstPair> worst_pairs();

  private:
    // Rows of one range of pairs between two powers of two.
    struct Octave {
        double last_position = 0;
        std::vector<double> square;  // the largest |w|² of each pair; empty: no rows
        std::vector<double> norm;    // the largest |v|²
    };
    struct PairBlock {
        PairRange pairs;
        std::vector<Octave> octaves;
        // of each pair: every prefix, or those below 1024
        std::vector<std::vector<PrefixWorst>> prefixes;
        std::vector<bool> whole;
    };
    struct Candidate {
        double bound, allowed;
        std::size_t block;
        std::uint32_t pair;  // of the block
    };

    // Of each pair over all rows.
    static std::vector<double> largest_norms(const PairBlock& block);
    std::vector<Candidate> candidates() const;
    void search(PairBlock& block, std::uint32_t i);
    void add(WorstCase& worst_case, const PairBlock& block, std::uint32_t i) const;
    void add_all(WorstCase& worst_case) const;

    const Comparison& comparison_;
    std::uint64_t samples_ = 0;
    std::vector<PairBlock> blocks_;  // the last is being observed
    CommonTurn common_turn_;
    std::unique_ptr<PairColumns> columns_;
};

}  // namespace rope
