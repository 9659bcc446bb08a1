// A process that stays outside of a jail, and does there what was named before it.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "io/file/file_descriptor.hpp"
#include "io/file/outside.hpp"
#include "io/sandbox/message.hpp"

namespace rope::io {

// What it does and nothing else: it opens `read`, and replaces `written`, which it also opens, to
// be read or added to, as it does their folders, to be locked; and it converts.
struct Grants {
    std::vector<std::filesystem::path> read, written;
    std::function<std::string(const std::string& how, const std::string& bytes)> convert;
};

// It reads nothing of what it opens. It ends with this process, however that ends, and then removes
// the file that was being written.
class Deputy : public Outside {
  public:
    // Of a process with one thread. Null where there can be none.
    static std::unique_ptr<Deputy> start(const Grants& grants);
    ~Deputy() override;  // waits for its end
    Deputy(const Deputy&) = delete;
    Deputy& operator=(const Deputy&) = delete;

    int open(const char* path, int flags) override;
    std::unique_ptr<PendingFile> begin_file(const std::filesystem::path& path) override;
    std::string convert(const std::string& how, std::string_view bytes) override;

    // Throws what it threw, IoError where it is no more.
    FileDescriptor ask(const std::string& text, int file = -1);

  private:
    Deputy(FileDescriptor socket, pid_t pid) : socket_(std::move(socket)), pid_(pid) {}

    int end();  // waits for it; its status, or 0 where it was waited for before

    FileDescriptor socket_;
    pid_t pid_;
    std::mutex one_at_a_time_;
};

}  // namespace rope::io
