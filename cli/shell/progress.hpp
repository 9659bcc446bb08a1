// "checking… 3 s" on a terminal, for work that passes a second; "checking… 43 %, 2 min left" where
// it is known how much there is.
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

// `share` is how much of the work is done, 0 where that is not known.
std::string progress_line(std::string_view what, double seconds, double share);

// Says so from its second second until it goes out of scope, and wipes the line then. Says nothing
// where standard error is no terminal, in CI, or for an empty text. Under
// ROPE_CHECK_PROGRESS=stages, for tests, it says at once where each stage begins and how much of it
// was done where it ends.
class Progress {
  public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Other work begins. Where to count its tasks.
    TaskCount* stage(std::string_view what);
    // Where to count the tasks of part k of all.
    TaskCount* part(std::size_t k, std::size_t all);

  private:
    void tell();
    void show_end() const;
    double share() const;
    double seconds() const;  // of this stage

    TaskCount tasks_;
    std::atomic<std::size_t> part_ = 0, parts_ = 1;
    bool shows_stages_ = false;
    std::string what_;
    std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
    std::mutex mutex_;  // of what_, began_ and done_
    std::condition_variable done_or_later_;
    bool done_ = false;
    std::thread teller_;
};

// The command's next stage. Where to count its tasks: nowhere if no progress is reported, or
// where a baseline reports that of all its runs.
TaskCount* begin_stage(const Arguments& arguments, std::string_view what);
// Of the stage's parts; of a baseline's run, a part of all runs.
TaskCount* begin_part(const Arguments& arguments, std::size_t k, std::size_t all);

}  // namespace rope::cli
