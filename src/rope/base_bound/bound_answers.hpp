// What is known of a search for bases, and what is still to be asked.
#pragma once

#include <array>
#include <deque>
#include <optional>
#include <unordered_map>

#include "rope/base_bound/bound_task.hpp"

namespace rope {

// When a task is given out.
enum class Urgency {
    first,  // others follow from it
    usual,
    last,     // it fills the time while others are waited for
    spare,    // the answer to another may make it needless
    closing,  // nothing follows from it
};

class BoundAnswers {
  public:
    bool was_asked(const BoundTask& task) const { return answers_.contains(to_bytes(task)); }

    const Bytes* find(const BoundTask& task) const {
        const auto found = answers_.find(to_bytes(task));
        return found == answers_.end() || !found->second ? nullptr : &*found->second;
    }

    // The answer; none as yet where this is asked for the first time, or not answered.
    const Bytes* ask(const BoundTask& task, Urgency urgency = Urgency::usual) {
        if (urgency == Urgency::spare && !wants_spare_) return find(task);
        const auto [answer, is_new] = answers_.try_emplace(to_bytes(task));
        if (is_new) waiting_[static_cast<std::size_t>(urgency)].push_back(answer->first);
        return answer->second ? &*answer->second : nullptr;
    }

    void want_spare(bool wanted) { wants_spare_ = wanted; }

    // Of the most urgent, `least` at least, the first that was asked and not given before.
    std::optional<Bytes> next(Urgency least) {
        for (std::size_t k = 0; k <= static_cast<std::size_t>(least); ++k) {
            std::deque<Bytes>& queue = waiting_[k];
            if (queue.empty()) continue;
            Bytes task = std::move(queue.front());
            queue.pop_front();
            return task;
        }
        return std::nullopt;
    }

    void take(const Bytes& task, const Bytes& answer) { answers_[task] = answer; }

  private:
    std::unordered_map<Bytes, std::optional<Bytes>> answers_;
    std::array<std::deque<Bytes>, 5> waiting_;
    bool wants_spare_ = false;
};

}  // namespace rope
