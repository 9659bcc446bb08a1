#include "io/process/child.hpp"

#if defined(__linux__) && !defined(ROPE_CHECK_POSIX_ONLY)
#include <sys/signalfd.h>
#endif

#include <cerrno>
#include <ctime>
#include <system_error>

#include "io/file/file_descriptor.hpp"
#include "io/file/unfinished.hpp"

namespace rope::io {
namespace {

sigset_t children() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    return set;
}

}  // namespace

SignalWatch::SignalWatch() : ending_(ending_signals()), file_(-1) {
    // where it is ignored, the system reaps children before their status can be read
    struct sigaction usual{};
    usual.sa_handler = SIG_DFL;
    sigaction(SIGCHLD, &usual, &children_before_);
    sigset_t watched = ending_;
    sigaddset(&watched, SIGCHLD);
    sigprocmask(SIG_BLOCK, &watched, &before_);
#ifdef SFD_CLOEXEC
    const int number = signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK);
    if (number < 0) {
        const int reason = errno;
        sigprocmask(SIG_SETMASK, &before_, nullptr);
        throw IoError("signalfd: " + std::generic_category().message(reason));
    }
    file_.reset(number);
#endif
}

SignalWatch::~SignalWatch() {
    forget_children();
    sigaction(SIGCHLD, &children_before_, nullptr);
    sigprocmask(SIG_SETMASK, &before_, nullptr);
}

bool SignalWatch::has_ending() const { return has_waiting(ending_); }

void SignalWatch::forget_children() const {
    const sigset_t set = children();
    const timespec at_once{};
    while (sigtimedwait(&set, nullptr, &at_once) > 0) {
    }
}

}  // namespace rope::io
