// Files and folders that must not outlive this process, and the signals that end it.
#pragma once

#include <signal.h>

#include <atomic>
#include <filesystem>
#include <optional>

namespace rope::io {

// The signals that end this process and can wait: without signals that it ignores, and without
// those that its faults raise.
sigset_t ending_signals();

// Whether one of these signals is pending.
bool has_waiting(const sigset_t& signals);

// Blocks every signal that can wait, for this thread and for threads that it starts. Afterwards a
// signal takes effect, unless another thread has taken it.
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

// Registers a file or a folder that must not outlive this process. The name must live as long as
// this object. Beyond eight at a time they are not registered.
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

// Removes all registered files and folders, for a process that ends without unwinding.
void remove_unfinished() noexcept;

// A new temporary folder (in TMPDIR) that only this user can read, removed afterwards. Throws
// IoError.
class PrivateFolder {
  public:
    PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder();

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    std::optional<Unfinished> unfinished_;
};

// Makes a folder, or uses an empty one. Throws InputError if it is not empty, IoError if it
// cannot be made.
void make_empty_folder(const std::filesystem::path& path);

}  // namespace rope::io
