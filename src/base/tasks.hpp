// Independent tasks on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>
#include <vector>

namespace rope {

// Returns the number of hardware threads, at least 1.
unsigned machine_threads();

// Returns a thread that runs `work`, or an empty one if the system cannot start another.
std::thread start_thread(const std::function<void()>& work);

// Numbers of tasks ended and begun; other threads may read them during the run.
struct TaskCount {
    std::atomic<std::uint64_t> ended = 0, all = 0;
};

// Calls each of task(0) … task(count − 1) once on at most `threads` threads, including the
// caller's. If tasks throw, rethrows the error of the lowest-numbered one when all have ended.
// Counts the tasks in `tasks`.
void run_tasks(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
               TaskCount* tasks = nullptr);

// Returns the results of each(begin, end) for consecutive ranges of 0 … count − 1, in their order,
// on at most `threads` threads (0: those of the machine). Each range but the last has `least`
// elements at least.
template <class Each>
auto results_of_ranges(std::size_t count, std::size_t least, unsigned threads, const Each& each) {
    if (threads == 0) threads = machine_threads();
    const std::size_t step = std::max(least, (count + threads - 1) / threads);
    std::vector<decltype(each(count, count))> results((count + step - 1) / step);
    run_tasks(results.size(), threads,
              [&](std::size_t k) { results[k] = each(k * step, std::min(count, (k + 1) * step)); });
    return results;
}

}  // namespace rope
