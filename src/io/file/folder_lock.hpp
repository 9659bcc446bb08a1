// One writer at a time, where a file is read, added to and written again.
#pragma once

#include <chrono>
#include <filesystem>

#include "io/file/file_descriptor.hpp"

namespace rope::io {

// An exclusive lock on the folder that `file` is in, after following links. It leaves nothing in
// the folder, and ends with the process, however that ends.
class FolderLock {
  public:
    // Waits for others. Throws IoError when that takes too long, or there is no such folder.
    explicit FolderLock(const std::filesystem::path& file,
                        std::chrono::milliseconds patience = std::chrono::minutes(1));

  private:
    FileDescriptor folder_;
};

}  // namespace rope::io
