#include <signal.h>

#include "base/decimal.hpp"
#include "io/process/spawn.hpp"

namespace rope::io {
namespace {

struct NamedSignal {
    int number;
    const char* name;
};

// The C library's own names are glibc's alone: sigabbrev_np.
#define ROPE_CHECK_NAMED(signal) {signal, #signal}
constexpr NamedSignal named_signals[] = {
    ROPE_CHECK_NAMED(SIGABRT),   ROPE_CHECK_NAMED(SIGALRM), ROPE_CHECK_NAMED(SIGBUS),
    ROPE_CHECK_NAMED(SIGCHLD),   ROPE_CHECK_NAMED(SIGCONT), ROPE_CHECK_NAMED(SIGFPE),
    ROPE_CHECK_NAMED(SIGHUP),    ROPE_CHECK_NAMED(SIGILL),  ROPE_CHECK_NAMED(SIGINT),
    ROPE_CHECK_NAMED(SIGKILL),   ROPE_CHECK_NAMED(SIGPIPE), ROPE_CHECK_NAMED(SIGPROF),
    ROPE_CHECK_NAMED(SIGQUIT),   ROPE_CHECK_NAMED(SIGSEGV), ROPE_CHECK_NAMED(SIGSTOP),
    ROPE_CHECK_NAMED(SIGSYS),    ROPE_CHECK_NAMED(SIGTERM), ROPE_CHECK_NAMED(SIGTRAP),
    ROPE_CHECK_NAMED(SIGTSTP),   ROPE_CHECK_NAMED(SIGTTIN), ROPE_CHECK_NAMED(SIGTTOU),
    ROPE_CHECK_NAMED(SIGURG),    ROPE_CHECK_NAMED(SIGUSR1), ROPE_CHECK_NAMED(SIGUSR2),
    ROPE_CHECK_NAMED(SIGVTALRM), ROPE_CHECK_NAMED(SIGXCPU), ROPE_CHECK_NAMED(SIGXFSZ),
    ROPE_CHECK_NAMED(SIGWINCH),
#ifdef __linux__
    ROPE_CHECK_NAMED(SIGPOLL),   ROPE_CHECK_NAMED(SIGPWR),  ROPE_CHECK_NAMED(SIGSTKFLT),
#endif
};
#undef ROPE_CHECK_NAMED

}  // namespace

std::string signal_name(int number) {
    for (const NamedSignal& signal : named_signals)
        if (signal.number == number) return signal.name;
    return "signal " + decimal(number);
}

}  // namespace rope::io
