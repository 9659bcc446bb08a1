// Tasks as bytes, so that threads, other processes or an earlier run may perform them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/ranks.hpp"

namespace rope {

// Tasks of which one's result may decide what is asked next. next() and take() are called by one
// thread at a time, perform() by any, on any rank. What is found must follow from the results
// alone, not from their order or from which tasks beyond the needed ones were performed.
class TaskSource {
  public:
    virtual ~TaskSource() = default;
    // A task that was not given before. None where all that is left depends on results to come, or
    // where nothing is left.
    virtual std::optional<Bytes> next() = 0;
    virtual void take(const Bytes& task, const Bytes& result) = 0;
    virtual Bytes perform(const Bytes& task) const = 0;
};

// Results that outlast the run.
class TaskLog {
  public:
    virtual ~TaskLog() = default;
    virtual std::optional<Bytes> find(const Bytes& task) const = 0;
    virtual void keep(const Bytes& task, const Bytes& result) = 0;
};

// Performs all tasks: on at most `threads` threads or, where share_with() named several, on ranks.
// Each of these calls it with the same source, and each source takes the same results. Those in
// `log` are not performed again. Throws what a task threw, when those begun have ended. Within a
// task, which one rank performs, it is threads alone.
void perform_all(TaskSource& source, unsigned threads, TaskLog* log = nullptr);

// How many tasks are performed at a time where that many threads are asked for.
unsigned workers(unsigned threads);

// The results of task(0) … task(count − 1), likewise.
std::vector<Bytes> map_tasks(std::size_t count, unsigned threads,
                             const std::function<Bytes(std::size_t)>& task, TaskLog* log = nullptr);

// The ranks for all calls to come; none: this process alone.
void share_with(Ranks* ranks);

// Whether this process reports and writes.
bool is_first_rank();

// Of a rank that will call perform_all() no more. Rank 0 ends those of the others that wait for it.
// Another that fails by itself leaves its tasks to rank 0 until that ends.
void abandon_ranks(bool failed);

}  // namespace rope
