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
        if (is_new) (task.kind == BoundTask::test ? short_ : long_).push_back(answer->first);
        return answer->second ? &*answer->second : nullptr;
    }

    // The first that was asked and not given before. Tests of bases, which take as long as one look
    // at all distances, fill the time while others are waited for.
    std::optional<Bytes> next() {
        std::deque<Bytes>& queue = long_.empty() ? short_ : long_;
        if (queue.empty()) return std::nullopt;
        Bytes task = std::move(queue.front());
        queue.pop_front();
        return task;
    }

    void take(const Bytes& task, const Bytes& answer) { answers_[task] = answer; }

  private:
    std::unordered_map<Bytes, std::optional<Bytes>> answers_;
    std::deque<Bytes> long_, short_;
};

}  // namespace rope
