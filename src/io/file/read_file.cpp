#include "io/file/read_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/file_descriptor.hpp"
#include "io/file/io_error.hpp"

namespace rope::io {
namespace {

std::string reason(int error) {
    if (error == ENOENT || error == ENOTDIR) return "there is no such file";
    if (error == EACCES) return "permission denied";
    return std::generic_category().message(error);
}

[[noreturn]] void too_large(const std::string& name, const std::string& bytes,
                            std::uint64_t limit) {
    throw InputError(name + ": has " + bytes + " bytes; the limit is " + decimal(limit));
}

std::uint64_t regular_size(int file, const std::string& name) {
    struct stat status{};
    if (fstat(file, &status) != 0) throw IoError(name + ": cannot read: " + reason(errno));
    if (S_ISDIR(status.st_mode)) throw IoError(name + ": is a folder, not a file");
    if (!S_ISREG(status.st_mode))
        throw IoError(name + ": is a pipe, a socket or a device, not a regular file");
    return static_cast<std::uint64_t>(status.st_size);
}

FileDescriptor open_regular(const std::filesystem::path& path, const std::string& name,
                            Links links) {
    const int follow = links == Links::refused ? O_NOFOLLOW : 0;
    FileDescriptor file(
        ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY | follow));
    if (file.is_open()) return file;
    const int error = errno;
    const bool is_link = links == Links::refused && error == ELOOP;
    std::error_code none;
    if (!is_link && std::filesystem::is_directory(path, none))  // which a jail keeps closed
        throw IoError(name + ": is a folder, not a file");
    throw IoError(name + ": cannot open: " + (is_link ? "is a symbolic link" : reason(error)));
}

// Fills `bytes` from `filled` on until they are full or the file ends; returns how many there are.
std::size_t fill_from(int file, const std::string& name, FileBytes& bytes, std::size_t filled) {
    while (filled < bytes.size()) {
        const ssize_t count = ::read(file, bytes.data() + filled, bytes.size() - filled);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) throw IoError(name + ": cannot read: " + reason(errno));
        if (count == 0) break;
        filled += static_cast<std::size_t>(count);
    }
    return filled;
}

FileBytes read_whole(int file, const std::string& name, std::uint64_t size, std::uint64_t limit) {
    // one byte more than the size, so that a file which grows meanwhile is seen to
    FileBytes bytes(size + 1);
    std::size_t filled = 0;
    while ((filled = fill_from(file, name, bytes, filled)) == bytes.size()) {
        if (filled > limit) too_large(name, "more than " + decimal(limit), limit);
        bytes.resize(static_cast<std::size_t>(std::min(limit, 2 * std::uint64_t{filled}) + 1));
    }
    bytes.resize(filled);
    return bytes;
}

}  // namespace

std::string input_name(const std::filesystem::path& path) {
    return path == "-" ? "standard input" : printable(path.native());
}

FileBytes read_file(const std::filesystem::path& path, std::uint64_t limit, Links links) {
    const std::string name = printable(path.native());
    const FileDescriptor file = open_regular(path, name, links);
    const std::uint64_t size = regular_size(file.number(), name);
    if (size > limit) too_large(name, decimal(size), limit);
    return within_memory(name, [&] { return read_whole(file.number(), name, size, limit); });
}

FileHead read_file_head(const std::filesystem::path& path, std::uint64_t most) {
    const std::string name = printable(path.native());
    const FileDescriptor file = open_regular(path, name, Links::followed);
    FileHead head{{}, regular_size(file.number(), name)};
    head.bytes.resize(static_cast<std::size_t>(std::min(most, head.file_size)));
    head.bytes.resize(fill_from(file.number(), name, head.bytes, 0));
    return head;
}

}  // namespace rope::io
