// Files and folders that must not outlive this process.
#pragma once

#include <atomic>

namespace rope::io {

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

}  // namespace rope::io
