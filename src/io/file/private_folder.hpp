// A folder that only this user can read, removed afterwards.
#pragma once

#include <filesystem>
#include <optional>

#include "io/file/file_descriptor.hpp"
#include "io/file/unfinished.hpp"

namespace rope::io {

// A new one among the temporary files (TMPDIR), locked while it lives. Those of processes that were
// killed, which nobody locks any more, are removed first. Throws IoError when there cannot be one.
class PrivateFolder {
  public:
    PrivateFolder();
    PrivateFolder(const PrivateFolder&) = delete;
    PrivateFolder& operator=(const PrivateFolder&) = delete;
    ~PrivateFolder();

    const std::filesystem::path& path() const { return path_; }

  private:
    FileDescriptor lock_{-1};
    std::filesystem::path path_;
    std::optional<Unfinished> unfinished_;
};

// Makes a folder that is kept, or uses an existing empty one. Throws InputError when something
// is in it, IoError when it cannot be made.
void make_empty_folder(const std::filesystem::path& path);

}  // namespace rope::io
