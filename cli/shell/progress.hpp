// Progress on a terminal for work of more than a second: "checking… 3 s", or "checking… 43 %, 2 min
// left" if the amount of work is known.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/tasks.hpp"

namespace rope::cli {

struct Arguments;

// `share`: the part of the work that is done; 0 if unknown.
std::string progress_line(std::string_view what, double seconds, double share);

// Shows a progress line from the second second until it is destroyed, then clears the line. Shows
// nothing if standard error is no terminal, in CI, or for an empty text. With
// ROPE_CHECK_PROGRESS=stages, for tests, it prints the start of each stage, and the share done at
// its end.
class Progress {
  public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Begins another stage. Returns the counter of its tasks.
    TaskCount* stage(std::string_view what);
    // Returns the counter for the tasks of part k of `all`.
    TaskCount* part(std::size_t k, std::size_t all);

  private:
    void tell();
    void show_end() const;
    double share() const;

    TaskCount tasks_;
    std::atomic<std::size_t> part_ = 0, parts_ = 1;
    bool shows_stages_ = false;
    std::string what_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::mutex mutex_;  // protects what_, began_ and done_
    std::condition_variable done_or_later_;
    bool done_ = false;
    std::thread teller_;
};

// Begins the command's next stage. Returns the counter of its tasks; null without progress, or if a
// baseline reports the progress of all its runs.
TaskCount* begin_stage(const Arguments& arguments, std::string_view what);
// Returns the counter of a part of the stage; in a baseline's run, of a part of all runs.
TaskCount* begin_part(const Arguments& arguments, std::size_t k, std::size_t all);

}  // namespace rope::cli
