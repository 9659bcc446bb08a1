// Ranks started by mpirun. Only mpi_ranks.cpp includes MPI, in builds with ROPE_CHECK_MPI.
#pragma once

#include <chrono>

#include "base/ranks.hpp"

namespace rope {

class MpiRanks : public Ranks {
  public:
    // Is one rank if mpirun did not start the process. All ranks except 0 stop printing.
    MpiRanks();
    // Waits for the other ranks.
    ~MpiRanks() override;
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    // Returns whether mpirun relays standard output; its pseudoterminal is not the user's terminal.
    bool are_relayed() const { return are_relayed_; }

    unsigned rank() const override { return rank_; }
    unsigned size() const override { return size_; }
    void send(unsigned to, const Bytes& bytes) override;
    std::optional<RankMessage> receive() override;
    void rest() override;

  private:
    unsigned rank_ = 0, size_ = 1;
    bool are_relayed_ = false;
    bool waits_ = false;  // the last receive() found no message
    std::chrono::steady_clock::time_point since_;
};

}  // namespace rope
