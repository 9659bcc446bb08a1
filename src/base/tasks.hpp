// Independent tasks on several threads.
#pragma once

#include <cstddef>
#include <functional>

namespace rope {

// Calls task(0) … task(count − 1), each once, on at most `threads` threads (the caller's is one of
// them). Throws what the first task in order threw, when all have ended.
void run_tasks(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task);

// Calls task(0), task(1), … until one says true. Returns the least of which it is so, or count:
// every task before that one was called once, and of the later ones perhaps some.
std::size_t first_task(std::size_t count, unsigned threads,
                       const std::function<bool(std::size_t)>& task);

}  // namespace rope
