// The columns whose every pair of positions has to be looked at, as tasks.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "base/task_source.hpp"
#include "rope/checks/pair_block.hpp"

namespace rope {

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
