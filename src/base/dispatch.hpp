// Hands out the tasks of one source to several threads and ranks.
#pragma once

#include <condition_variable>
#include <exception>
#include <mutex>
#include <vector>

#include "base/task_source.hpp"

namespace rope {

struct TaskResult {
    Bytes task, result;
};

// Returns source.perform(task). Calls of perform_all() inside the task use threads only, no ranks.
Bytes perform_task(const TaskSource& source, const Bytes& task);

class Dispatch {
  public:
    Dispatch(TaskSource& source, TaskLog* log, bool keeps_results)
        : source_(source), log_(log), keeps_results_(keeps_results) {}

    std::optional<Bytes> next_now() {
        const std::lock_guard lock(mutex_);
        return draw();
    }

    // Waits for a task. Returns none if no task is left.
    std::optional<Bytes> next() {
        std::unique_lock lock(mutex_);
        for (;;) {
            auto task = draw();
            if (task || running_ == 0) return task;
            ended_.wait(lock);
        }
    }

    void take(const Bytes& task, const Bytes& result) {
        end([&] {
            if (log_ != nullptr) log_->keep(task, result);
            keep(task, result);
        });
    }

    void perform(const Bytes& task) {
        try {
            take(task, perform_task(source_, task));
        } catch (...) {
            end([] { throw; });
        }
    }

    // Performs tasks until nothing is left.
    void work() {
        while (const auto task = next()) perform(*task);
    }

    bool is_over() {
        const std::lock_guard lock(mutex_);
        return running_ == 0 && (failure_ || is_dry_);
    }

    // Valid once is_over(): the first failure, and all results in order if keeps_results was set.
    std::exception_ptr failure() const { return failure_; }
    const std::vector<TaskResult>& results() const { return results_; }

  private:
    std::optional<Bytes> draw() try {
        if (failure_) return std::nullopt;
        while (auto task = source_.next()) {
            const auto known = log_ != nullptr ? log_->find(*task) : std::nullopt;
            if (!known) {
                ++running_;
                return task;
            }
            keep(*task, *known);
        }
        is_dry_ = true;
        return std::nullopt;
    } catch (...) {
        failure_ = std::current_exception();
        return std::nullopt;
    }

    void keep(const Bytes& task, const Bytes& result) {
        source_.take(task, result);
        if (keeps_results_) results_.push_back({task, result});
    }

    // Ends a running task. Its result may allow the source to give new tasks.
    template <class Take>
    void end(const Take& take) {
        {
            const std::lock_guard lock(mutex_);
            try {
                take();
            } catch (...) {
                if (!failure_) failure_ = std::current_exception();
            }
            --running_;
            is_dry_ = false;
        }
        ended_.notify_all();
    }

    TaskSource& source_;
    TaskLog* log_;
    bool keeps_results_;
    std::mutex mutex_;
    std::condition_variable ended_;
    std::exception_ptr failure_;
    std::vector<TaskResult> results_;
    std::size_t running_ = 0;
    bool is_dry_ = false;  // the source has given no task since the last result
};

}  // namespace rope
