// Reads regular files and streams into memory.
#include "io/system/read_file.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <map>
#include <optional>
#include <system_error>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "base/tasks.hpp"

namespace rope::io {
namespace {

std::string reason(int error) {
    if (error == ENOENT || error == ENOTDIR) return "there is no such file";
    if (error == EACCES) return "permission denied";
    return std::generic_category().message(error);
}

[[noreturn]] void fail_read(const std::string& name, int error) {
    throw IoError(name + ": cannot read: " + reason(error));
}

// Throws InputError if there are more bytes than the limit.
void require_few(const std::string& name, std::uint64_t bytes, std::uint64_t limit,
                 bool is_whole_size = false) {
    if (bytes > limit)
        throw InputError(name + ": has " +
                         (is_whole_size ? decimal(bytes) : "more than " + decimal(limit)) +
                         " bytes; the limit is " + decimal(limit));
}

std::uint64_t regular_size(int file, const std::string& name) {
    struct stat status{};
    if (fstat(file, &status) != 0) fail_read(name, errno);
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
// A FIFO that nobody has opened for writing looks ended, too: read_file waits ten seconds for a
// writer.
std::size_t fill_from(int file, const std::string& name, FileBytes& bytes, std::size_t filled,
                      bool awaits_writer = false) {
    constexpr int step_ms = 100, most_steps = 100;
    for (int step = 0; filled < bytes.size();) {
        const ssize_t count = ::read(file, bytes.to_fill() + filled, bytes.size() - filled);
        pollfd wait{file, POLLIN, 0};
        if (count > 0) {
            filled += static_cast<std::size_t>(count);
            awaits_writer = false;
        } else if (count == 0) {
            if (!awaits_writer) break;
            if (::poll(&wait, 1, step_ms) == 0 && ++step == most_steps)
                throw IoError(name + ": no process writes to this pipe");
            // a writer that hung up since then may have written: its bytes are read first
            awaits_writer = (wait.revents & POLLHUP) == 0;
        } else if (errno == EAGAIN) {  // a writer is connected
            (void)::poll(&wait, 1, -1);
        } else if (errno != EINTR) {
            fail_read(name, errno);
        }
    }
    return filled;
}

// The same for a regular file from its start, on all threads: faulting in new pages takes longer
// than copying.
std::size_t fill_on_threads(int file, const std::string& name, FileBytes& bytes) {
    constexpr std::size_t least = std::size_t{1} << 20;  // copied in the time of starting a thread
    const auto fill = [&](std::size_t begin, std::size_t end) -> std::optional<std::size_t> {
        while (begin < end) {
            const ssize_t count =
                ::pread(file, bytes.to_fill() + begin, end - begin, static_cast<off_t>(begin));
            if (count == 0) return begin;
            if (count < 0 && errno != EINTR) fail_read(name, errno);
            if (count > 0) begin += static_cast<std::size_t>(count);
        }
        return std::nullopt;
    };
    const auto ends = results_of_ranges(bytes.size(), least, 0, fill);
    const auto end = std::ranges::find_if(ends, [](const auto& one) { return one.has_value(); });
    const std::size_t filled = end == ends.end() ? bytes.size() : **end;
    if (::lseek(file, static_cast<off_t>(filled), SEEK_SET) < 0) fail_read(name, errno);
    return filled;
}

enum class Source { regular, stream, fifo };

FileBytes read_whole(int file, const std::string& name, std::uint64_t size, std::uint64_t limit,
                     Source source) {
    // one byte more than the size, so that a file that grows meanwhile is noticed
    FileBytes bytes(std::min(size, limit) + 1);
    const auto fill = [&](std::size_t filled) {
        const bool is_first = filled == 0;
        return is_first && source == Source::regular
                   ? fill_on_threads(file, name, bytes)
                   : fill_from(file, name, bytes, filled, is_first && source == Source::fifo);
    };
    std::size_t filled = 0;
    while ((filled = fill(filled)) == bytes.size()) {
        require_few(name, filled, limit);
        bytes.resize(static_cast<std::size_t>(std::min(limit, 2 * std::uint64_t{filled}) + 1));
    }
    bytes.resize(filled);
    return bytes;
}

constexpr std::size_t chunk_bytes = std::size_t{4} << 20;  // of a stream at first
constexpr std::uint64_t most_kept = std::uint64_t{64} << 20;

FileBytes read_standard_input(std::uint64_t limit) {
    const std::string name = input_name("-");
    struct stat status{};
    if (fstat(STDIN_FILENO, &status) != 0) fail_read(name, errno);
    if (S_ISCHR(status.st_mode) || S_ISDIR(status.st_mode))
        throw IoError(name + " is a terminal, a device or a folder; pipe a file into it");
    return read_whole(STDIN_FILENO, name, chunk_bytes, limit, Source::stream);
}

FileBytes read_pipe(const std::filesystem::path& path, std::uint64_t limit) {
    const std::string name = printable(path.native());
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY));
    if (!file.is_open()) fail_read(name, errno);
    return read_whole(file.number(), name, chunk_bytes, limit, Source::fifo);
}

// Bytes of streams that were read, by path.
std::map<std::string, FileBytes>& held() {
    static std::map<std::string, FileBytes> bytes;
    return bytes;
}

FileBytes& content(const std::filesystem::path& path, std::uint64_t limit) {
    const auto found = held().find(path.native());
    if (found != held().end()) {
        require_few(input_name(path), found->second.size(), limit);
        return found->second;
    }
    return held()[path.native()] = within_memory(input_name(path), [&] {
               return path == "-" ? read_standard_input(limit) : read_pipe(path, limit);
           });
}

}  // namespace

FileBytes::FileBytes(std::size_t size) : size_(size) {
    constexpr std::size_t large_page = std::size_t{1} << 21;
    if (size == 0) return;
    const bool is_large = size >= large_page;
    const std::size_t whole = is_large ? (size + large_page - 1) / large_page * large_page : size;
    void* const at = is_large ? std::aligned_alloc(large_page, whole) : std::malloc(whole);
    if (at == nullptr) throw std::bad_alloc();
    at_.reset(static_cast<std::byte*>(at), std::free);
#ifdef MADV_HUGEPAGE
    // where this fails, pages stay small
    if (is_large) (void)::madvise(at, whole, MADV_HUGEPAGE);
#endif
}

FileBytes::FileBytes(std::span<const std::byte> from) : FileBytes(from.size()) {
    std::ranges::copy(from, to_fill());
}

void FileBytes::resize(std::size_t size) {
    if (size > size_) {
        FileBytes larger(size);
        std::copy(begin(), end(), larger.to_fill());
        *this = std::move(larger);
    }
    size_ = size;
}

std::string input_name(const std::filesystem::path& path) {
    return path == "-" ? "standard input" : printable(path.native());
}

bool is_called_dump(const std::filesystem::path& path) {
    return std::ranges::any_of(std::array{".npz", ".npy", ".safetensors"},
                               [&](const char* ending) { return path.native().ends_with(ending); });
}

FileBytes read_file(const std::filesystem::path& path, std::uint64_t limit, Links links) {
    const std::string name = printable(path.native());
    const FileDescriptor file = open_regular(path, name, links);
    const std::uint64_t size = regular_size(file.number(), name);
    require_few(name, size, limit, true);
    return within_memory(
        name, [&] { return read_whole(file.number(), name, size, limit, Source::regular); });
}

FileHead read_file_head(const std::filesystem::path& path, std::uint64_t most) {
    const std::string name = printable(path.native());
    const FileDescriptor file = open_regular(path, name, Links::followed);
    FileHead head{{}, regular_size(file.number(), name)};
    head.bytes.resize(static_cast<std::size_t>(std::min(most, head.file_size)));
    head.bytes.resize(fill_from(file.number(), name, head.bytes, 0));
    return head;
}

void hold_input(const std::string& name, std::string_view text) {
    held()[name] = FileBytes(std::as_bytes(std::span(text)));
}

bool is_stream(const std::filesystem::path& path) {
    struct stat status{};
    return path == "-" || held().contains(path.native()) ||
           (::stat(path.c_str(), &status) == 0 && S_ISFIFO(status.st_mode));
}

FileBytes read_input(const std::filesystem::path& path, std::uint64_t limit) {
    if (!is_stream(path)) return read_file(path, limit);
    FileBytes& bytes = content(path, limit);
    return bytes.size() <= most_kept ? bytes : std::exchange(bytes, {});
}

FileHead read_input_head(const std::filesystem::path& path, std::uint64_t most,
                         std::uint64_t limit) {
    if (!is_stream(path)) return read_file_head(path, most);
    const FileBytes& bytes = content(path, limit);
    const std::span all(bytes.begin(), bytes.size());
    return {FileBytes(all.first(std::min<std::uint64_t>(most, all.size()))), all.size()};
}

}  // namespace rope::io
