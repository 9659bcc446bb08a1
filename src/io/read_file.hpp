// The one way a file comes in: regular, bounded, never blocking, never mapped.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace rope::io {

// Whether a path that is a symbolic link leads anywhere.
enum class Links { followed, refused };

// The whole file. Throws IoError when it is missing, a folder, a pipe or device, or unreadable;
// InputError when it has more than `limit` bytes.
std::vector<std::byte> read_file(const std::filesystem::path& path, std::uint64_t limit,
                                 Links links = Links::followed);

}  // namespace rope::io
