// NumPy's .npy, and .npz: a zip archive of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

// NumPy's .npy, versions 1.0 to 3.0: floats, integers, and complex numbers as a last axis of 2.
// Fortran order and big-endian numbers are read into a copy.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html

// Does no I/O; allocates only once the bytes that the header claims are seen to be there.
ReadResult<Array> read_npy(std::span<const std::byte> bytes);

// uint16 words that are bfloat16 bits, as they are saved where NumPy has no such type.
ReadResult<Array> read_npy_bfloat16_bits(std::span<const std::byte> bytes);

// The members of a zip archive, through its central directory.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT

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

// NumPy's .npz: a zip archive of .npy members, read through its central directory.

// Each .npy member by its name without .npy.
struct NpzMember {
    std::span<const std::byte> archive;
    ZipMember zip;
};
using NpzMembers = std::map<std::string, NpzMember, std::less<>>;

// Does no I/O and reads no content. Encrypted, overlapping, duplicate and zip64 members are refused
// by name, as is a damaged directory.
ReadResult<NpzMembers> list_npz(std::span<const std::byte> bytes);

// The member NAME, or the bfloat16 array whose bits are the member NAME__bf16bits. Stored members
// are not copied; only one that is compressed owns its bytes. A wrong CRC-32 is refused.
ReadResult<Array> read_npz_member(const NpzMembers& members, const std::string& name);
std::vector<std::string> npz_names(const NpzMembers& members);  // as they are asked for
std::uint64_t unpacked_bytes(const NpzMembers& members);        // of those that are compressed
bool has_npz_member(const NpzMembers& members, const std::string& name);

}  // namespace rope::io
