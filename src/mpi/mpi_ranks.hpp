// Ranks that mpirun started. The only file that knows MPI is mpi_ranks.cpp, of builds with
// ROPE_CHECK_MPI.
#pragma once

#include <chrono>

#include "base/ranks.hpp"

namespace rope {

class MpiRanks : public Ranks {
  public:
    // One rank where mpirun did not start the process. All but rank 0 print nothing from here on.
    MpiRanks();
    // Waits for the other ranks.
    ~MpiRanks() override;
    MpiRanks(const MpiRanks&) = delete;
    MpiRanks& operator=(const MpiRanks&) = delete;

    // Whether standard output goes to mpirun, whose pseudoterminal is nobody's terminal.
    bool are_relayed() const { return are_relayed_; }

    unsigned rank() const override { return rank_; }
    unsigned size() const override { return size_; }
    void send(unsigned to, const Bytes& bytes) override;
    std::optional<RankMessage> receive() override;
    void rest() override;

  private:
    unsigned rank_ = 0, size_ = 1;
    bool are_relayed_ = false;
    bool waits_ = false;  // for a message
    std::chrono::steady_clock::time_point since_;
};

}  // namespace rope
