// Signals that would end the process, held back while there is something to clean up.
#pragma once

#include <signal.h>

#include "io/file/file_descriptor.hpp"

namespace rope::io {

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

}  // namespace rope::io
