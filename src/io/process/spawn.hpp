// What running a program needs of the system: to start it, its descendants, and names of signals.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace rope::io {

// Files that this process was started with.

// Marks them, all but the three standard streams, so that no program started from now on has them.
// Changes nothing where the system does not list them (/dev/fd).
void withhold_inherited_files();

// The processes that are this one's children, by birth or because their parents ended.

// From now on, processes whose parent ended become this one's children. Linux alone can.
void adopt_orphans();

// Empty where the system does not say (/proc).
std::vector<pid_t> children_of_this_process();

// Kills and reaps all children but `others`, and what they leave behind, for a second at most.
void end_children_but(const std::vector<pid_t>& others);

// Signals by name.

// "SIGSEGV"; "signal 40" where a number has no name.
std::string signal_name(int number);

// Starts a program.

struct Streams {
    int in, out, err;  // in: -1 for nothing to read
};

// Starts words[0], found as a shell would but never by one, in a process group of its own, with the
// environment of this process and `environment`, these streams, no other file and no signal
// blocked. It is killed when the thread that started it ends, be it by SIGKILL; Linux alone can.
// Throws InputError where there is no such program or it cannot be executed, IoError where the
// system lacks what it takes.
pid_t spawn(const std::vector<std::string>& words,
            const std::vector<std::pair<std::string, std::string>>& environment, Streams streams);

}  // namespace rope::io
