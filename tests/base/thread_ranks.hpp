// Ranks that are threads of this process.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/ranks.hpp"

namespace rope {

struct Mail {
    std::mutex mutex;
    std::vector<std::deque<RankMessage>> to;
};

class ThreadRank : public Ranks {
  public:
    ThreadRank(Mail& mail, unsigned rank) : mail_(mail), rank_(rank) {}
    unsigned rank() const override { return rank_; }
    unsigned size() const override { return static_cast<unsigned>(mail_.to.size()); }
    void send(unsigned to, const Bytes& bytes) override {
        const std::lock_guard lock(mail_.mutex);
        mail_.to.at(to).push_back({rank_, bytes});
    }
    std::optional<RankMessage> receive() override {
        const std::lock_guard lock(mail_.mutex);
        if (mail_.to[rank_].empty()) return std::nullopt;
        RankMessage first = mail_.to[rank_].front();
        mail_.to[rank_].pop_front();
        return first;
    }
    void rest() override { std::this_thread::yield(); }

  private:
    Mail& mail_;
    unsigned rank_;
};

// Calls run(rank) on each rank.
inline void run_ranks(unsigned size, const std::function<void(Ranks&)>& run) {
    Mail mail;
    mail.to.resize(size);
    std::vector<std::thread> ranks;
    for (unsigned rank = 0; rank < size; ++rank)
        ranks.emplace_back([&, rank] {
            ThreadRank self(mail, rank);
            run(self);
        });
    for (std::thread& rank : ranks) rank.join();
}

}  // namespace rope
