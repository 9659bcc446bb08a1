#include "io/system/task_log.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/system/read_file.hpp"
#include "io/system/write_file.hpp"
#include "rope/exact/random.hpp"

namespace rope::io {

FolderLock::FolderLock(const std::filesystem::path& file)
    : folder_(
          ::open(behind_links(file).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (!folder_.is_open() || ::flock(folder_.number(), LOCK_EX) != 0)
        throw IoError(printable(file.native()) +
                      ": cannot write: " + std::generic_category().message(errno));
}

namespace {

constexpr std::uint64_t largest_log = std::uint64_t{1} << 32;
constexpr std::size_t sizes = 16;  // bytes of the sizes of a task and its result

}  // namespace

FileTaskLog::FileTaskLog(const std::filesystem::path& path, const std::string& asked)
    : path_(path), file_(::open(path.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    const std::string head = "rope-check tasks: " + asked + '\n';
    if (!file_.is_open())
        throw IoError(printable(path.string()) + ": " + std::generic_category().message(errno));
    const FileBytes bytes = read_file(path, largest_log);
    const std::size_t end = read(Bytes(as_text(bytes)), head);
    if (end == 0) write(head);
    if (end < bytes.size() && ftruncate(file_.number(), static_cast<off_t>(end)) != 0)
        throw IoError(printable(path.string()) + ": " + std::generic_category().message(errno));
}

// Returns the end of the last whole record; 0 for an empty file.
std::size_t FileTaskLog::read(const Bytes& text, const std::string& head) {
    if (text.empty()) return 0;
    if (!text.starts_with(head))
        throw InputError(
            "--resume",
            ": '" + printable(path_.string()) +
                "' does not hold results of this question by this version; name another "
                "file");
    std::size_t end = head.size();
    for (std::size_t at = end; text.size() - at >= sizes; end = at) {
        const auto task = value_of<std::uint64_t>(text.substr(at, 8));
        const auto result = value_of<std::uint64_t>(text.substr(at + 8, 8));
        const std::size_t left = text.size() - at - sizes;
        if (left < 8 || task > left - 8 || result > left - 8 - task) break;
        const std::size_t size = sizes + task + result;
        if (value_of<std::uint64_t>(text.substr(at + size, 8)) !=
            byte_digest(std::string_view(text).substr(at, size)).value())
            break;
        results_[text.substr(at + sizes, task)] = text.substr(at + sizes + task, result);
        at += size + 8;
    }
    return end;
}

std::optional<Bytes> FileTaskLog::find(const Bytes& task) const {
    const auto one = results_.find(task);
    return one == results_.end() ? std::nullopt : std::optional(one->second);
}

void FileTaskLog::keep(const Bytes& task, const Bytes& result) {
    results_[task] = result;
    const Bytes record = to_bytes(std::uint64_t{task.size()}) +
                         to_bytes(std::uint64_t{result.size()}) + task + result;
    write(record + to_bytes(byte_digest(record).value()));
}

void FileTaskLog::write(const Bytes& text) {
    if (::write(file_.number(), text.data(), text.size()) != static_cast<ssize_t>(text.size()))
        throw IoError(printable(path_.string()) + ": it cannot be written in full");
}

}  // namespace rope::io
