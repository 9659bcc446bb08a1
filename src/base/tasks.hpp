// Independent tasks on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>

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

// Calls each(begin, end) for consecutive ranges of 0 … count − 1, on at most `threads` threads (0:
// those of the machine). Each but the last has `least` elements at least.
void run_in_ranges(std::size_t count, std::size_t least, unsigned threads,
                   const std::function<void(std::size_t begin, std::size_t end)>& each);

}  // namespace rope
