// Runs a user's program within bounds: no shell, a deadline, and nothing left running.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include "io/process/signal_watch.hpp"

namespace rope::io {

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
