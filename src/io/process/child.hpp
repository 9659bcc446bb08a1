// Runs a user's program within bounds, with signals that would end this process held back.
#pragma once

#include <signal.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "io/file/unfinished.hpp"

namespace rope::io {

// While it lives, ending_signals() are held back, so that the caller can clean up; they take effect
// when it ends. One at a time.
class SignalWatch {
  public:
    SignalWatch();
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;
    ~SignalWatch();

    bool has_ending() const { return has_waiting(ending_); }

  private:
    sigset_t ending_{}, before_{};
    struct sigaction children_before_{};
};

// Runs a user's program within bounds: no shell, a deadline, and nothing left running.

struct Child {
    std::vector<std::string> words;                                // the program and its arguments
    std::vector<std::pair<std::string, std::string>> environment;  // besides our own
    std::chrono::milliseconds timeout{60'000};
    int input = -1, output = -1;  // open files; -1: from nowhere, and dropped
};

struct ChildEnd {
    enum class Way { exited, signalled, timed_out, interrupted };
    Way way = Way::exited;
    int status = 0;      // exit status, or the signal's number
    std::string errors;  // the last 4 KiB that it wrote to standard error
};

// Runs the program, found as a shell would but never by one, in its own process group, with no
// other open file and no signal blocked. At the deadline, or when a signal asks us to end, the
// group gets SIGTERM and, if that is not enough, SIGKILL; at its end the group is killed. Throws
// InputError when there is no such program or it cannot be executed, IoError when the system cannot
// start it.
ChildEnd run_child(const Child& child, const SignalWatch& signals);

// "exited with status 1", "was killed by SIGSEGV", "was still running after 60 s"
std::string way_text(const ChildEnd& end, const Child& child);

}  // namespace rope::io
