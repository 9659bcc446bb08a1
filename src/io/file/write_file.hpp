// Writes a file completely or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string_view>

namespace rope::io {

// The file that writing to `path` replaces: behind every symbolic link, from the root. What cannot
// be followed stays as it is.
std::filesystem::path behind_links(const std::filesystem::path& path);

// A file that is being written: its bytes go to number(), and commit() puts it in its place.
// Without that nothing is left of it, and what was there stays.
class PendingFile {
  public:
    PendingFile() = default;
    PendingFile(const PendingFile&) = delete;
    PendingFile& operator=(const PendingFile&) = delete;
    virtual ~PendingFile() = default;
    virtual int number() const = 0;
    virtual void commit() = 0;
};

// A temporary beside `path`, or what is written through. Throws IoError, as commit() does.
std::unique_ptr<PendingFile> begin_file(const std::filesystem::path& path);

// Writes a temporary beside `path`, syncs it and renames it over `path`; what was there stays
// until then, and its permissions are kept. Signals wait meanwhile, and no temporary is left
// behind. Written through instead: a device or pipe, and the file that standard output or error
// goes to. Throws IoError with the path and the reason, such as a pipe without a reader.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The same of bytes that are made while they are written. A signal that ends the process does so
// after the bytes in hand, and the file stays as it was.
using Sink = std::function<void(std::string_view)>;
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const Sink&)>& produce);

// Throws the IoError of write_file_atomically where `path` cannot be written for sure: its folder
// is missing, it is a folder, or permissions forbid it. Creates and opens nothing.
void require_writable(const std::filesystem::path& path);

// Whether writing to `path` replaces a file or makes one, and writes through nothing.
bool replaces_file(const std::filesystem::path& path);

}  // namespace rope::io
