// "checking… 3 s" on a terminal, for work that passes a second.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace rope::cli {

// Says so from its second second until it goes out of scope, and wipes the line then. Says nothing
// where standard error is no terminal, in CI, or for an empty text.
class Progress {
  public:
    explicit Progress(std::string what);
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

  private:
    void tell();

    std::string what_;
    std::mutex mutex_;
    std::condition_variable done_or_later_;
    bool done_ = false;
    std::thread teller_;
};

}  // namespace rope::cli
