#include "base/tasks.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <vector>

namespace rope {

void run_tasks(std::size_t count, unsigned threads, const std::function<void(std::size_t)>& task) {
    std::vector<std::exception_ptr> failures(count);
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t k = next++; k < count; k = next++) try {
                task(k);
            } catch (...) {
                failures[k] = std::current_exception();
            }
    };
    std::vector<std::thread> others;
    try {
        while (others.size() + 1 < std::min<std::size_t>(threads, count)) others.emplace_back(work);
    } catch (const std::system_error&) {
        // no more threads are to be had: those that started do the work
    }
    work();
    for (std::thread& other : others) other.join();
    for (const std::exception_ptr& failure : failures)
        if (failure) std::rethrow_exception(failure);
}

}  // namespace rope
