// The replays of the least cost that a search has found so far.
#pragma once

#include <vector>

#include "rope/diagnose/search/search.hpp"

namespace rope {

class LeastReplays {
  public:
    LeastReplays(int most, const Verify& verify) : least_(most), verify_(verify) {}

    bool is_worth(int cost) const { return cost <= least_; }

    // Whether the replay explains its samples, where those tell it from the asked frequencies'.
    bool add(Replay& replay, const std::vector<double>& asked_theta);

    // Once one of a cost is verified, others of that cost are not, and come after it.
    std::vector<Replay> list() &&;

  private:
    int least_;
    const Verify& verify_;
    std::vector<Replay> found_;
};

}  // namespace rope
