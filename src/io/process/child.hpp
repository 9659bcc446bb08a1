// Runs a user's program within bounds, with signals that would end this process held back.
#pragma once

#include <signal.h>

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "io/file/file_descriptor.hpp"

namespace rope::io {

// Signals that would end the process, held back while there is something to clean up.

// While it lives, ending_signals() are held back, and descriptor() becomes readable when one is
// pending; it is -1 where the system has no such file, and the caller asks now and then. The caller
// then cleans up; the signal takes effect when the watch ends. SIGCHLD makes it readable too. One
// at a time.
class SignalWatch {
  public:
    SignalWatch();  // throws IoError
    SignalWatch(const SignalWatch&) = delete;
    SignalWatch& operator=(const SignalWatch&) = delete;
    ~SignalWatch();

    int descriptor() const { return file_.number(); }
    bool has_ending() const;       // a signal that ends the process is waiting
    void forget_children() const;  // so that descriptor() waits for the next SIGCHLD

  private:
    sigset_t ending_{}, before_{};
    struct sigaction children_before_{};
    FileDescriptor file_;
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

// Runs the program to its end in a process group of its own. At the deadline, or when a signal asks
// us to end, the group gets SIGTERM and, if that is not enough, SIGKILL. Whatever it started is
// ended with it; on Linux even what left the group. Throws InputError when there is no such program
// or it cannot be executed, IoError when the system lacks what it takes.
ChildEnd run_child(const Child& child, const SignalWatch& signals);

// "exited with status 1", "was killed by SIGSEGV", "was still running after 60 s"
std::string way_text(const ChildEnd& end, const Child& child);

}  // namespace rope::io
