// Independent tasks on several threads.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <thread>

namespace rope {

// Those that the machine has, at least one.
unsigned machine_threads();

// A thread that does the work; none where the system has no more: those that there are do it.
std::thread start_thread(const std::function<void()>& work);

// How many of all tasks begun have ended; to be read while they run.
struct TaskCount {
    std::atomic<std::uint64_t> ended = 0, all = 0;
};

// Calls task(0) … task(count − 1), each once, on at most `threads` threads (the caller's is one of
// them). Throws what the first task in order threw, when all have ended. They are added to `tasks`.
void run_tasks(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
               TaskCount* tasks = nullptr);

}  // namespace rope
