// "checking… 3 s" on a terminal, for work that passes a second; "checking… 43 %, 2 min left" where
// it is known how much there is.
#pragma once

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "base/tasks.hpp"

namespace rope::cli {

// `share` is how much of the work is done, 0 where that is not known.
std::string progress_line(std::string_view what, double seconds, double share);

// Says so from its second second until it goes out of scope, and wipes the line then. Says nothing
// where standard error is no terminal, in CI, or for an empty text.
class Progress {
  public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Where to count the tasks of part k of all.
    TaskCount* part(std::size_t k, std::size_t all);

  private:
    void tell();
    double share() const;

    TaskCount tasks_;
    std::atomic<std::size_t> part_ = 0, parts_ = 1;
    std::string what_;
    std::mutex mutex_;
    std::condition_variable done_or_later_;
    bool done_ = false;
    std::thread teller_;
};

}  // namespace rope::cli
