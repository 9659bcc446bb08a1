// An open file that closes itself.
#pragma once

#include <unistd.h>

#include <utility>

namespace rope::io {

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

}  // namespace rope::io
