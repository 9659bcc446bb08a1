// Waiting for another process, but not for ever.
#pragma once

#include <chrono>
#include <thread>

namespace rope::io {

// Attempts once, and again until it succeeds or the time is up.
template <typename Attempt>
bool succeeds_within(std::chrono::milliseconds patience, Attempt&& attempt) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!attempt()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

}  // namespace rope::io
