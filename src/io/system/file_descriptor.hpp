// Open files and their errors.
#pragma once

#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace rope::io {

// A file that cannot be read or written; a fault of its content is a rope::InputError.

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

    // Closes the file and takes another one; -1 for none.
    void reset(int number = -1) {
        if (is_open()) ::close(number_);
        number_ = number;
    }

    bool is_open() const { return number_ >= 0; }
    int number() const { return number_; }

    // Closes the file. Returns false with errno if the system reports an error only here.
    bool close() { return ::close(std::exchange(number_, -1)) == 0; }

  private:
    int number_;
};

}  // namespace rope::io
