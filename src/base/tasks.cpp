#include "base/tasks.hpp"

#include <exception>
#include <mutex>
#include <system_error>
#include <utility>

namespace rope {
std::thread start_thread(const std::function<void()>& work) try {
    return std::thread(work);
} catch (const std::system_error&) {
    return {};
}

unsigned machine_threads() { return std::max(1U, std::thread::hardware_concurrency()); }

void run_tasks(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task,
               TaskCount* tasks) {
    if (tasks != nullptr) tasks->all += count;
    std::mutex mutex;
    std::exception_ptr failure;  // error of the lowest-numbered task that failed so far
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
    while (others.size() + 1 < std::min<std::size_t>(threads, count)) {
        std::thread other = start_thread(work);
        if (!other.joinable()) break;
        others.push_back(std::move(other));
    }
    work();
    for (std::thread& other : others) other.join();
    if (failure) std::rethrow_exception(failure);
}

}  // namespace rope
