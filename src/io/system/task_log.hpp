// Files that one process at a time adds to, so that a run resumes where another one ended.
#pragma once

#include <filesystem>
#include <string>
#include <unordered_map>

#include "base/task_source.hpp"
#include "io/system/file_descriptor.hpp"

namespace rope::io {

// An exclusive lock on the folder that `file` is in, after following links, so that one process at
// a time reads a file and writes it again. It leaves nothing in the folder and ends with the
// process.
class FolderLock {
  public:
    // Waits for other processes. Throws IoError without a folder.
    explicit FolderLock(const std::filesystem::path& file);

  private:
    FileDescriptor folder_;
};

// Results of tasks in a file, which is appended to as tasks end. A record that was cut off, as by a
// crash, is dropped.
class FileTaskLog : public TaskLog {
  public:
    // `asked` is one line that describes the tasks. Throws InputError if the file has results of
    // other tasks, IoError if it cannot be read and written.
    FileTaskLog(const std::filesystem::path& path, const std::string& asked);

    std::optional<Bytes> find(const Bytes& task) const override;
    void keep(const Bytes& task, const Bytes& result) override;
    std::size_t size() const { return results_.size(); }

  private:
    std::size_t read(const Bytes& text, const std::string& head);
    void write(const Bytes& text);

    std::filesystem::path path_;
    FileDescriptor file_;
    std::unordered_map<Bytes, Bytes> results_;
};

}  // namespace rope::io
