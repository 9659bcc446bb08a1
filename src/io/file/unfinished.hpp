// Files and folders that must not outlive this process, and the signals that end it.
#pragma once

#include <signal.h>

#include <atomic>
#include <filesystem>
#include <optional>

#include "io/file/file_descriptor.hpp"

namespace rope::io {

// Signals that end this process.

// Those that another process may send and that can wait; without what this process ignores, and
// without those of its own faults.
sigset_t ending_signals();

// Whether one of them waits to take its effect.
bool has_waiting(const sigset_t& signals);

// Signals that wait while a thread must not be cut off.

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

// Removes a folder with all that is in it.

// What cannot be removed stays. No link is followed.
void remove_folder(const char* path) noexcept;

// Files and folders that must not outlive this process.

// Names one while it lives; the name must live as long. Beyond a few at a time they are not kept.
class Unfinished {
  public:
    explicit Unfinished(const char* path);
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;
    ~Unfinished() { finish(); }
    void finish();

  private:
    std::atomic<const char*>* place_ = nullptr;
};

// Removes those that there are now, for a process that ends without unwinding.
void remove_unfinished() noexcept;

// A folder that only this user can read, removed afterwards.

// A new one among the temporary files (TMPDIR), locked while it lives. Those of processes that were
// killed, which nobody locks any more, are removed first. Throws IoError when there cannot be one.
class PrivateFolder {
  public:
    PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder();

    const std::filesystem::path& path() const { return path_; }

  private:
    FileDescriptor lock_{-1};
    std::filesystem::path path_;
    std::optional<Unfinished> unfinished_;
};

// Makes a folder that is kept, or uses an existing empty one. Throws InputError when something
// is in it, IoError when it cannot be made.
void make_empty_folder(const std::filesystem::path& path);

}  // namespace rope::io
