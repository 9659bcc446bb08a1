// The stored members of a zip archive, through its central directory.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/readers/array.hpp"

namespace rope::io {

struct ZipMember {
    std::string name;
    std::uint64_t crc = 0;  // CRC-32 that its data should have
    // offsets in the archive: local header, data, end of the data
    std::uint64_t begin = 0, data = 0, end = 0;
};

// In the order of their data. Reads no content and copies nothing. Compressed, encrypted, zip64
// and overlapping members are refused by name, as is a directory that does not add up.
ReadResult<std::vector<ZipMember>> list_stored_members(std::span<const std::byte> bytes);

}  // namespace rope::io
