// Starts a program.
#pragma once

#include <sys/types.h>

#include <string>
#include <utility>
#include <vector>

namespace rope::io {

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
