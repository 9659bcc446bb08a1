// Sizes of memory and files as people read and write them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace rope::io {

// "512 bytes", "1.5 GiB": two digits or more, rounded up, so that as much is enough.
std::string byte_count(std::uint64_t bytes);

// Bytes, or "64M", "4G", "4GiB", "1.5T" in powers of 1024. Throws InputError:
// --max-memory: '4 x' is not a size such as 512M or 4G
std::uint64_t parse_byte_count(std::string_view field, std::string_view text);

}  // namespace rope::io
