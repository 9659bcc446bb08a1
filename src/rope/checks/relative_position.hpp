// R(m)ᵀR(n) = a²R(n − m) for every pair of positions and every frequency, the subject's own
// frequency being what R turns by. With each row within ε of its place, a pair is within
// 2ε + ε²; ε grows with position, so each power-of-two prefix has its own allowance.
#pragma once

#include <memory>
#include <vector>

#include "rope/check.hpp"
#include "rope/tally.hpp"
#include "rope/worst_pair.hpp"

namespace rope {

class PairColumns;

class RelativePosition final : public RowCheck {
  public:
    explicit RelativePosition(const Trial& trial);
    ~RelativePosition() override;

    void observe(const Tile& tile) override;
    void report_to(Finding& finding) override;

    // Per pair of lanes, the worst of all pairs of positions.
    const std::vector<WorstPair>& worst_pairs();

  private:
    void settle();

    const Trial& trial_;
    Tally tally_;
    std::vector<WorstPair> worst_;
    std::unique_ptr<PairColumns> columns_;
};

}  // namespace rope
