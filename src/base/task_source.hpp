// Tasks as bytes, so that threads, other processes or an earlier run can perform them.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "base/ranks.hpp"

namespace rope {

// Tasks whose results may decide which tasks follow. One thread at a time calls next() and take();
// any thread of any rank calls perform(). The outcome must depend only on the results, not on their
// order or on additional tasks.
class TaskSource {
  public:
    virtual ~TaskSource() = default;
    // Returns a new task, or none if no task is left or all others wait for results.
    virtual std::optional<Bytes> next() = 0;
    virtual void take(const Bytes& task, const Bytes& result) = 0;
    virtual Bytes perform(const Bytes& task) const = 0;
};

// Results kept from one run to the next.
class TaskLog {
  public:
    virtual ~TaskLog() = default;
    virtual std::optional<Bytes> find(const Bytes& task) const = 0;
    virtual void keep(const Bytes& task, const Bytes& result) = 0;
};

// Performs all tasks on at most `threads` threads, or on the ranks given to share_with(). Each rank
// calls it with the same source, which takes the same results on each. Tasks found in `log` are not
// performed again. If a task throws, rethrows the error after all running tasks have ended. A call
// inside a task uses threads only, because one rank performs that task.
void perform_all(TaskSource& source, unsigned threads, TaskLog* log = nullptr);

// Returns the number of tasks performed at a time if `threads` threads are requested.
unsigned workers(unsigned threads);

// Returns the results of task(0) … task(count − 1), performed as by perform_all().
std::vector<Bytes> map_tasks(std::size_t count, unsigned threads,
                             const std::function<Bytes(std::size_t)>& task, TaskLog* log = nullptr);

// Sets the ranks for all later calls. With nullptr, this process works without others.
void share_with(Ranks* ranks);

// Returns whether this process reports and writes files.
bool is_first_rank();

// Called by a rank after its last perform_all(). Rank 0 makes the waiting ranks stop. Another rank
// that failed refuses its tasks, which rank 0 performs, until rank 0 ends.
void abandon_ranks(bool failed);

// The parts of these functions that exchange messages between ranks.

// Implements perform_all() on each rank. Rank 0 gives out the tasks and performs some of them.
void perform_over(Ranks& ranks, TaskSource& source, TaskLog* log);
// Runs on rank 0 after its last perform_over(): makes the waiting ranks stop.
void abandon(Ranks& ranks);
// Runs on another rank that failed: refuses each task that rank 0 sends, until rank 0 ends.
void decline(Ranks& ranks);

}  // namespace rope
