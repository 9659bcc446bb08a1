// Checks of blocks that end in any order, merged in the order of the blocks as soon as can be: as
// many wait as threads are ahead of the slowest, however many blocks there are.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "rope/checks/check.hpp"

namespace rope {

using RowChecks = std::vector<std::unique_ptr<RowCheck>>;

class OrderedMerge {
  public:
    // The finished checks of block k, the same ones for every block. From any thread.
    void add(std::uint64_t k, RowChecks checks);
    // When every block has been added.
    RowChecks take() { return std::move(merged_); }

  private:
    std::mutex mutex_;
    std::uint64_t next_ = 0;
    std::map<std::uint64_t, RowChecks> waiting_;
    RowChecks merged_;
};

}  // namespace rope
