// What a user pipes in: - for standard input, or a FIFO, as a shell makes of <(command).
#pragma once

#include <cstdint>
#include <filesystem>

#include "io/file/file_bytes.hpp"
#include "io/file/read_file.hpp"

namespace rope::io {

bool is_stream(const std::filesystem::path& path);

// As read_file and read_file_head; of a stream, all that comes until it ends, which must be no
// more than `limit` bytes. What it held is kept for the calls that follow, up to 64 MiB after
// read_input. Throws IoError where no process writes to a FIFO for ten seconds.
FileBytes read_input(const std::filesystem::path& path, std::uint64_t limit);
FileHead read_input_head(const std::filesystem::path& path, std::uint64_t most,
                         std::uint64_t limit);

}  // namespace rope::io
