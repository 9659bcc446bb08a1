// What is known of a search for bases, and what is still to be asked.
#pragma once

#include <deque>
#include <optional>
#include <unordered_map>

#include "rope/base_bound/bound_task.hpp"

namespace rope {

class BoundAnswers {
  public:
    bool was_asked(const BoundTask& task) const { return answers_.contains(to_bytes(task)); }

    // The answer; none as yet where this is asked for the first time, or not answered.
    const Bytes* ask(const BoundTask& task) {
        const auto [answer, is_new] = answers_.try_emplace(to_bytes(task));
        if (is_new) queue_.push_back(answer->first);
        return answer->second ? &*answer->second : nullptr;
    }

    // The first that was asked and not given before.
    std::optional<Bytes> next() {
        if (queue_.empty()) return std::nullopt;
        Bytes task = std::move(queue_.front());
        queue_.pop_front();
        return task;
    }

    void take(const Bytes& task, const Bytes& answer) { answers_[task] = answer; }

  private:
    std::unordered_map<Bytes, std::optional<Bytes>> answers_;
    std::deque<Bytes> queue_;
};

}  // namespace rope
