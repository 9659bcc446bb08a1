// The members of a zip archive, through its central directory.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

struct ZipMember {
    std::string name;
    std::uint64_t crc = 0;  // CRC-32 that its content should have
    // offsets in the archive: local header, data, end of the data
    std::uint64_t begin = 0, data = 0, end = 0;
    std::uint64_t size = 0;  // of its content
    bool is_deflated = false;
};

// In the order of their data. Reads no content and copies nothing. Encrypted, zip64 and
// overlapping members are refused by name, as are methods other than deflate and a directory that
// does not add up.
ReadResult<std::vector<ZipMember>> list_zip_members(std::span<const std::byte> bytes);

// What the member holds, which must have its size and its CRC-32. Stored content is a part of
// `bytes`; content that was deflated is its own.
struct ZipContent {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};
ReadResult<ZipContent> zip_content(std::span<const std::byte> bytes, const ZipMember& member);

}  // namespace rope::io
