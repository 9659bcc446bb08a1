#include "base/tasks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

namespace rope {
namespace {

// Whether one more thread was to be had; else those that started do the work.
bool start(std::vector<std::thread>& threads, const std::function<void()>& work) {
    try {
        threads.emplace_back(work);
        return true;
    } catch (const std::system_error&) {
        return false;
    }
}

}  // namespace

unsigned machine_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void run_tasks(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
               TaskCount* tasks) {
    if (tasks != nullptr) tasks->all += count;
    std::mutex mutex;
    std::exception_ptr failure;  // of the first task so far
    std::size_t failed = count;
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t k = next++; k < count; k = next++) try {
                task(k);
                if (tasks != nullptr) ++tasks->ended;
            } catch (...) {
                const std::lock_guard lock(mutex);
                if (k >= failed) continue;
                failed = k;
                failure = std::current_exception();
            }
    };
    std::vector<std::thread> others;
    while (others.size() + 1 < std::min<std::size_t>(threads, count) && start(others, work)) {
    }
    work();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rope
