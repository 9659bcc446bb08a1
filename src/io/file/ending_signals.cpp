#include "io/file/ending_signals.hpp"

#include <algorithm>
#include <array>

namespace rope::io {
namespace {

// Faults, what cannot wait, and what stops a process or does nothing unless it is handled.
constexpr std::array others{SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGTRAP, SIGSYS, SIGKILL, SIGSTOP,
                            SIGTSTP, SIGTTIN, SIGTTOU, SIGCONT, SIGCHLD, SIGURG, SIGWINCH};

bool ends_this_process(int number) {
    struct sigaction now{};
    return std::ranges::find(others, number) == others.end() &&
           sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN;
}

}  // namespace

sigset_t ending_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int number = 1; number < NSIG; ++number)
        if (ends_this_process(number)) sigaddset(&signals, number);
    return signals;
}

bool has_waiting(const sigset_t& signals) {
    sigset_t waiting;
    if (sigpending(&waiting) != 0) return false;
    for (int number = 1; number < NSIG; ++number)
        if (sigismember(&waiting, number) == 1 && sigismember(&signals, number) == 1) return true;
    return false;
}

}  // namespace rope::io
