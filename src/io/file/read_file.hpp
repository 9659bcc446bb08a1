// The one way a file comes in: regular, bounded, never blocking, never mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>

#include "io/file/file_bytes.hpp"
#include "io/file/io_error.hpp"

namespace rope::io {

// An input in messages: its path, or standard input for -.
std::string input_name(const std::filesystem::path& path);

// What read() returns. Where there is no memory for it, IoError says so, with the input's name.
template <class Read>
auto within_memory(const std::string& name, const Read& read) try {
    return read();
} catch (const std::bad_alloc&) {
    throw IoError(name + ": not enough memory");
}

// Whether a path that is a symbolic link leads anywhere.
enum class Links { followed, refused };

// The whole file. Throws IoError when it is missing, a folder, a pipe or device, or unreadable;
// InputError when it has more than `limit` bytes.
FileBytes read_file(const std::filesystem::path& path, std::uint64_t limit,
                    Links links = Links::followed);

// The first `most` bytes of a file, or all of it, and how many it has. Throws IoError likewise.
struct FileHead {
    FileBytes bytes;
    std::uint64_t file_size;
};
FileHead read_file_head(const std::filesystem::path& path, std::uint64_t most);

}  // namespace rope::io
