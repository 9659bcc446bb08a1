// What a process in a jail (io/sandbox) leaves to one outside of it.
#pragma once

#include <fcntl.h>

#include <cerrno>
#include <memory>
#include <string>
#include <string_view>

#include "io/file/write_file.hpp"

namespace rope::io {

class Outside {
  public:
    virtual ~Outside() = default;
    // open(2); -1 with errno where the file was not named before the jail.
    virtual int open(const char* path, int flags) = 0;
    // Throws IoError where the file was not named before the jail, too.
    virtual std::unique_ptr<PendingFile> begin_file(const std::filesystem::path& path) = 0;
    // What a program makes of the bytes.
    virtual std::string convert(const std::string& how, std::string_view bytes) = 0;
};

inline Outside* outside = nullptr;  // none where this process is in no jail

// open(2) of a file that the command line names.
inline int open_named(const char* path, int flags) {
    const int number = ::open(path, flags, 0666);
    return number < 0 && errno == EACCES && outside ? outside->open(path, flags) : number;
}

}  // namespace rope::io
