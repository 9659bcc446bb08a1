// Signals that end this process.
#pragma once

#include <signal.h>

namespace rope::io {

// Those that another process may send and that can wait; without what this process ignores, and
// without those of its own faults.
sigset_t ending_signals();

// Whether one of them waits to take its effect.
bool has_waiting(const sigset_t& signals);

}  // namespace rope::io
