#include "io/file/private_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/io_error.hpp"
#include "io/file/remove_folder.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_folder(const fs::path& path, const std::string& reason) {
    throw IoError(printable(path.native()) + ": cannot make this folder: " + reason);
}

constexpr std::string_view prefix = "rope-check-audit-";

// Locked; -1 where it is no folder of this user, where another process has it locked, or where it
// was removed meanwhile.
int lock_of(const char* path) {
    FileDescriptor file(::open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat opened{}, there{};
    const bool is_ours = file.is_open() && ::flock(file.number(), LOCK_EX | LOCK_NB) == 0 &&
                         ::fstat(file.number(), &opened) == 0 && ::lstat(path, &there) == 0 &&
                         opened.st_ino == there.st_ino && opened.st_dev == there.st_dev &&
                         opened.st_uid == ::geteuid();
    return is_ours ? ::fcntl(file.number(), F_DUPFD_CLOEXEC, 0) : -1;
}

void remove_abandoned(const fs::path& parent) {
    std::error_code end;
    for (fs::directory_iterator entry(parent, end), none; !end && entry != none;
         entry.increment(end)) {
        const fs::path& path = entry->path();
        if (!path.filename().native().starts_with(prefix)) continue;
        const FileDescriptor lock(lock_of(path.c_str()));
        if (lock.is_open()) remove_folder(path.c_str());
    }
}

}  // namespace

PrivateFolder::PrivateFolder() {
    std::error_code error;
    const fs::path parent = fs::temp_directory_path(error);  // TMPDIR, else /tmp
    if (error) throw IoError("TMPDIR: is not a folder that temporary files can go to");
    remove_abandoned(parent);
    const std::string pattern =
        fs::absolute(parent / std::string(prefix).append("XXXXXX")).native();
    std::string name;
    // another process may take it for abandoned before it is locked; some file systems have no
    // locks
    for (int attempt = 0; attempt < 10 && !lock_.is_open(); ++attempt) {
        if (attempt > 0) ::rmdir(name.c_str());
        name = pattern;
        if (::mkdtemp(name.data()) == nullptr)
            fail_folder(name, std::generic_category().message(errno));
        lock_.reset(lock_of(name.c_str()));
    }
    try {
        path_ = name;
    } catch (...) {
        ::rmdir(name.c_str());
        throw;
    }
    unfinished_.emplace(path_.c_str());
}

PrivateFolder::~PrivateFolder() {
    unfinished_.reset();
    remove_folder(path_.c_str());
}

void make_empty_folder(const fs::path& path) {
    if (::mkdir(path.c_str(), 0700) == 0) return;
    const int reason = errno;
    std::error_code error;
    if (reason != EEXIST) fail_folder(path, std::generic_category().message(reason));
    const bool is_empty = fs::is_empty(path, error);
    if (error || !fs::is_directory(path)) fail_folder(path, "a file of that name is there");
    if (!is_empty)
        throw InputError(printable(path.native()) +
                         ": holds files, which an answer could be mistaken for; name a new folder");
}

}  // namespace rope::io
