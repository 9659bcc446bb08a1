// Runs a user's program with a deadline, and defers signals that would end this process.
#pragma once

#include <signal.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "io/system/unfinished.hpp"

namespace rope::io {

// Defers ending_signals() while it exists, so that the caller can clean up; they take effect when
// it is destroyed. One at a time.
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

// A program to run, without a shell.
struct Child {
    std::vector<std::string> words;                                // the program and its arguments
    std::vector<std::pair<std::string, std::string>> environment;  // to add to ours
    std::chrono::milliseconds timeout{60'000};
};

struct ChildEnd {
    enum class Way { exited, signalled, timed_out, interrupted };
    Way way = Way::exited;
    int status = 0;      // exit status or signal number
    std::string errors;  // last 4 KiB of standard error
};

// Runs the program, searched on PATH, in a new process group, with no open file but /dev/null and
// its standard error, and no blocked signal. At the deadline, or when an ending signal arrives, the
// group gets SIGTERM and after 200 ms SIGKILL; when the program ends, its group is killed. Throws
// InputError if the program is not executable, IoError if it does not exist or the system cannot
// start it.
ChildEnd run_child(const Child& child, const SignalWatch& signals);

// "exited with status 1", "was killed by SIGSEGV", "was still running after 60 s"
std::string way_text(const ChildEnd& end, const Child& child);

}  // namespace rope::io
