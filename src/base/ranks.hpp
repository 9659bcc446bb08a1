// Processes that run one command together and share its tasks.
#pragma once

#include <optional>

#include "base/bytes.hpp"

namespace rope {

struct RankMessage {
    unsigned from;
    Bytes bytes;
};

// Interface for messages between ranks. Messages from one rank to another arrive in order. Rank 0
// gives out the tasks, reports and writes files; the other ranks perform tasks.
class Ranks {
  public:
    virtual ~Ranks() = default;
    virtual unsigned rank() const = 0;
    virtual unsigned size() const = 0;
    virtual void send(unsigned to, const Bytes& bytes) = 0;
    virtual std::optional<RankMessage> receive() = 0;  // none if no message has arrived
    virtual void rest() = 0;                           // sleeps shortly while idle

    bool is_abandoned = false;  // set once rank 0 has given up
};

}  // namespace rope
