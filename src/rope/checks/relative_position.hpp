// R(m)ᵀR(n) = a²R(n − m) for every pair of positions and every frequency, the subject's own
// frequency being what R turns by. With each row within ε of its place, a pair is within
// 2ε + ε²; ε grows with position, so each power-of-two prefix has its own allowance.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "rope/checks/pair_block.hpp"
#include "rope/columns/common_turn.hpp"
#include "rope/comparison/check.hpp"

namespace rope {

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

}  // namespace rope
