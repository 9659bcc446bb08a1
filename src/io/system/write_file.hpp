// Writes a file completely or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

namespace rope::io {

// Writes all bytes to an open file. Returns 0, or errno.
int write_all(int file, std::string_view bytes);

// The absolute path of the file that writing to `path` replaces, after every symbolic link that can
// be followed.
std::filesystem::path behind_links(const std::filesystem::path& path);

// Writes a temporary file next to `path`, syncs it and renames it to `path`. The old file stays
// until then, and its permissions are kept. Signals wait meanwhile, and no temporary file is left.
// A device, a pipe, and the file that standard output or error goes to are written through. Throws
// IoError with the path and the reason, such as a pipe without a reader.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// The same for bytes that are made while they are written. A signal ends the process between two
// writes, and the file stays as it was.
using Sink = std::function<void(std::string_view)>;
void write_file_atomically(const std::filesystem::path& path,
                           const std::function<void(const Sink&)>& produce);

// Throws the IoError of write_file_atomically if `path` cannot be written: its folder is
// missing, it is a folder, or permissions forbid it. Creates and opens nothing.
void require_writable(const std::filesystem::path& path);

// Whether writing to `path` replaces or makes a file, rather than writing through.
bool replaces_file(const std::filesystem::path& path);

}  // namespace rope::io
