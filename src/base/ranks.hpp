// Processes that run one command together, each with one thread for the tasks.
#pragma once

#include <optional>

#include "base/bytes.hpp"

namespace rope {

struct RankMessage {
    unsigned from;
    Bytes bytes;
};

// How they reach each other: messages from one rank to another arrive in order. Rank 0 gives out
// the tasks, reports and writes; the others perform tasks.
class Ranks {
  public:
    virtual ~Ranks() = default;
    virtual unsigned rank() const = 0;
    virtual unsigned size() const = 0;
    virtual void send(unsigned to, const Bytes& bytes) = 0;
    virtual std::optional<RankMessage> receive() = 0;  // none where none has come
    virtual void rest() = 0;                           // for a moment, where there is nothing to do

    bool is_abandoned = false;  // rank 0 has given up
};

}  // namespace rope
