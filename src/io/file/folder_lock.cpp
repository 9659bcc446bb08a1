#include "io/file/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <cerrno>
#include <string>
#include <system_error>

#include "base/printable.hpp"
#include "io/file/io_error.hpp"
#include "io/file/patience.hpp"
#include "io/file/write_file.hpp"

namespace rope::io {

FolderLock::FolderLock(const std::filesystem::path& file, std::chrono::milliseconds patience)
    : folder_(
          ::open(behind_links(file).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    int error = folder_.is_open() ? 0 : errno;
    const auto has_outcome = [&] {
        if (folder_.is_open())
            error = ::flock(folder_.number(), LOCK_EX | LOCK_NB) == 0 ? 0 : errno;
        return error != EWOULDBLOCK && error != EINTR;
    };
    const bool in_time = succeeds_within(patience, has_outcome);
    if (in_time && error == 0) return;
    throw IoError(printable(file.native()) + ": cannot write: " +
                  (in_time ? std::generic_category().message(error)
                           : "another process keeps its folder locked"));
}

}  // namespace rope::io
