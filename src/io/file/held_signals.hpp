// Signals that wait while a thread must not be cut off.
#pragma once

#include <signal.h>

namespace rope::io {

// While it lives, every signal that can wait does so for this thread and for those that it starts;
// then it takes its effect, unless another thread has taken it.
class HeldSignals {
  public:
    HeldSignals() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

}  // namespace rope::io
