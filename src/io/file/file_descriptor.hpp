// An open file that closes itself, the error of one that cannot be used, and waiting for one.
#pragma once

#include <unistd.h>

#include <chrono>
#include <stdexcept>
#include <thread>
#include <utility>

namespace rope::io {

// A file that cannot be read or written; what is wrong inside one is a rope::InputError.

// The message is one line: the path and the reason.
struct IoError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// An open file that closes itself.

class FileDescriptor {
  public:
    explicit FileDescriptor(int number) : number_(number) {}
    FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&&) = delete;
    ~FileDescriptor() {
        if (is_open()) ::close(number_);
    }

    // Closes, and takes another; -1 for none.
    void reset(int number = -1) {
        if (is_open()) ::close(number_);
        number_ = number;
    }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

    // Closes now; false with errno set when the system reports an error only here.
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

// Waiting for another process, but not for ever.

// Attempts once, and again until it succeeds or the time is up.
template <typename Attempt>
bool succeeds_within(std::chrono::milliseconds patience, Attempt&& attempt) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!attempt()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return true;
}

}  // namespace rope::io
