#include "io/system/write_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <string>
#include <system_error>
#include <thread>

#include "base/printable.hpp"
#include "io/system/file_descriptor.hpp"
#include "io/system/unfinished.hpp"

namespace rope::io {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_write(const fs::path& path, const std::string& reason) {
    throw IoError(printable(path.native()) + ": cannot write: " + reason);
}

[[noreturn]] void fail_write(const fs::path& path, int error) {
    const fs::path folder = path.parent_path();
    std::error_code unused;
    fail_write(path, error == ENOENT && !folder.empty() && !fs::exists(folder, unused)
                         ? "there is no folder " + printable(folder.native())
                         : std::generic_category().message(error));
}

// Opens a device or a pipe. A pipe's reader may start a second later.
FileDescriptor open_special(const fs::path& path, bool is_pipe) {
    using Clock = std::chrono::steady_clock;
    const auto deadline = Clock::now() + std::chrono::seconds(1);
    for (;; std::this_thread::sleep_for(std::chrono::milliseconds(10))) {
        FileDescriptor file(::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
        if (file.is_open()) return file;
        if (errno != ENXIO || !is_pipe) fail_write(path, errno);
        if (Clock::now() >= deadline) fail_write(path, "is a pipe without a reader");
    }
}

// Returns standard output or error if that is the same file, so that its contents stay.
std::optional<int> stream_to(const struct stat& status) {
    for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) {
        struct stat own{};
        if (::fstat(stream, &own) == 0 && own.st_dev == status.st_dev &&
            own.st_ino == status.st_ino)
            return stream;
    }
    return std::nullopt;
}

// The permissions of a new file: rw-rw-rw- without umask.
mode_t new_file_mode() {
    const mode_t mask = ::umask(0);
    ::umask(mask);
    return 0666 & ~mask;
}

// Makes the new name survive a crash. File systems that cannot sync a folder return EINVAL.
void sync_folder(const fs::path& folder, const fs::path& path) {
    const FileDescriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (file.is_open() && ::fsync(file.number()) != 0 && errno != EINVAL)
        throw IoError(
            printable(path.native()) +
            ": is written, but its folder cannot be synced, so that a crash may undo it: " +
            std::generic_category().message(errno));
}

// Opens a new file and appends the rest of its name to `name`; returns -1 with errno if that
// fails. Unlike mkostemp(3) it does not ask for the right to read, which a sandbox denies.
int open_new(std::string& name) {
    constexpr int attempts = 100;
    const std::string stem = name;
    int number = -1;
    for (int k = 0; k < attempts && number < 0; ++k) {
        const auto now = std::chrono::steady_clock::now().time_since_epoch().count();
        name = fmt::format("{}{:x}-{:x}", stem, ::getpid(), now);
        number = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        if (number < 0 && errno != EEXIST) break;
    }
    return number;
}

// A file that is being written: a new one next to the file that it replaces, which signals wait
// for, or one that is written through. Without commit() the new file is removed and the old one
// stays.
class PendingFile {
  public:
    PendingFile(const fs::path& path, FileDescriptor through)
        : path_(path), file_(std::move(through)) {
        if (!file_.is_open()) fail_write(path, errno);
    }
    PendingFile(const fs::path& path, mode_t mode)
        : until_renamed_(std::in_place),
          path_(path),
          target_(behind_links(path)),
          mode_(mode),
          name_((target_.parent_path() / ".rope-check-").native()),
          file_(open_new(name_)) {
        if (!file_.is_open()) fail_write(path, errno);
        unfinished_.emplace(name_.c_str());
    }
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    ~PendingFile() {
        if (unfinished_) ::unlink(name_.c_str());
    }

    int number() const { return file_.number(); }
    void commit() {
        if (unfinished_ && (::fchmod(file_.number(), mode_) != 0 || ::fsync(file_.number()) != 0))
            fail_write(path_, errno);
        if (!file_.close()) fail_write(path_, errno);
        if (!unfinished_) return;
        if (::rename(name_.c_str(), target_.c_str()) != 0) fail_write(path_, errno);
        unfinished_.reset();
        sync_folder(target_.parent_path(), path_);
    }

  private:
    std::optional<HeldSignals> until_renamed_;
    fs::path path_, target_;
    mode_t mode_ = 0;
    std::string name_;
    FileDescriptor file_;
    std::optional<Unfinished> unfinished_;
};

PendingFile begin_file(const fs::path& path) {
    struct stat status{};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) fail_write(path, errno);
    if (exists && !S_ISREG(status.st_mode)) {
        FileDescriptor file = open_special(path, S_ISFIFO(status.st_mode));
        if (::fcntl(file.number(), F_SETFL, 0) != 0)
            fail_write(path, errno);  // slow readers are waited for
        return {path, std::move(file)};
    }
    if (exists && ::access(path.c_str(), W_OK) != 0) fail_write(path, errno);
    if (const auto stream = stream_to(status); exists && stream)
        return {path, FileDescriptor(::fcntl(*stream, F_DUPFD_CLOEXEC, 0))};
    return {path, exists ? status.st_mode & 0777 : new_file_mode()};
}

}  // namespace

int write_all(int file, std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(file, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return count == 0 ? EIO : errno;
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return 0;
}

fs::path behind_links(const fs::path& path) {
    constexpr int most_links = 40;  // as in Linux
    std::error_code error;
    fs::path target = fs::absolute(path, error);
    for (int links = 0; links < most_links && fs::is_symlink(target, error); ++links)
        target = target.parent_path() / fs::read_symlink(target, error);
    const fs::path whole = fs::weakly_canonical(target, error);
    return error ? target : whole;
}

bool replaces_file(const fs::path& path) {
    struct stat status{};
    if (::stat(path.c_str(), &status) != 0) return true;
    return S_ISREG(status.st_mode) && !stream_to(status);
}

void require_writable(const fs::path& path) {
    struct stat status{};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (!exists && errno != ENOENT) fail_write(path, errno);
    if (exists && S_ISDIR(status.st_mode)) fail_write(path, EISDIR);
    if (exists && ::access(path.c_str(), W_OK) != 0) fail_write(path, errno);
    const fs::path folder = behind_links(path).parent_path();
    if (replaces_file(path) && ::access(folder.c_str(), W_OK | X_OK) != 0)
        fail_write(path, errno == ENOENT ? "there is no folder " + printable(folder.native())
                                         : std::generic_category().message(errno));
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
    write_file_atomically(path, [&](const Sink& write) { write(bytes); });
}

void write_file_atomically(const fs::path& path, const std::function<void(const Sink&)>& produce) {
    PendingFile file = begin_file(path);
    const sigset_t ending = ending_signals();
    produce([&](std::string_view bytes) {
        if (has_waiting(ending)) fail_write(path, EINTR);
        if (const int error = write_all(file.number(), bytes)) fail_write(path, error);
    });
    file.commit();
}

}  // namespace rope::io
