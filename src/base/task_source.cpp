#include "base/task_source.hpp"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/dispatch.hpp"
#include "base/rank_tasks.hpp"
#include "base/tasks.hpp"

namespace rope {
namespace {

Ranks* everyone = nullptr;
thread_local bool is_within_task = false;

bool are_several() { return everyone != nullptr && everyone->size() > 1 && !is_within_task; }

class NumberedTasks : public TaskSource {
  public:
    NumberedTasks(std::size_t count, const std::function<Bytes(std::size_t)>& task)
        : results(count), task_(task) {}
    std::optional<Bytes> next() override {
        return next_ < results.size() ? std::optional(to_bytes(next_++)) : std::nullopt;
    }
    void take(const Bytes& task, const Bytes& result) override {
        results.at(value_of<std::size_t>(task)) = result;
    }
    Bytes perform(const Bytes& task) const override { return task_(value_of<std::size_t>(task)); }

    std::vector<Bytes> results;

  private:
    const std::function<Bytes(std::size_t)>& task_;
    std::size_t next_ = 0;
};

}  // namespace

void share_with(Ranks* ranks) { everyone = ranks; }

bool is_first_rank() { return everyone == nullptr || everyone->rank() == 0; }

void abandon_ranks(bool failed) {
    if (everyone == nullptr) return;
    if (everyone->rank() == 0)
        abandon(*everyone);
    else if (failed)
        decline(*everyone);
}

Bytes perform_task(const TaskSource& source, const Bytes& task) {
    struct Within {
        bool before = std::exchange(is_within_task, true);
        ~Within() { is_within_task = before; }
    } const within;
    return source.perform(task);
}

unsigned workers(unsigned threads) { return are_several() ? everyone->size() : threads; }

void perform_all(TaskSource& source, unsigned threads, TaskLog* log) {
    if (are_several()) return perform_over(*everyone, source, log);
    Dispatch dispatch(source, log, false);
    run_tasks(std::max(1U, threads), threads, [&](std::size_t) { dispatch.work(); });
    if (dispatch.failure()) std::rethrow_exception(dispatch.failure());
}

std::vector<Bytes> map_tasks(std::size_t count, unsigned threads,
                             const std::function<Bytes(std::size_t)>& task, TaskLog* log) {
    NumberedTasks tasks(count, task);
    perform_all(tasks, threads, log);
    return std::move(tasks.results);
}

}  // namespace rope
