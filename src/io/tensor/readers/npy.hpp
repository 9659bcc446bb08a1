// Readers of NumPy's .npy, and of .npz, a zip archive of .npy files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "io/tensor/readers/array.hpp"

namespace rope::io {

// The array of an .npy of version 1.0 to 3.0: floats, integers, or complex numbers as a last axis
// of 2. Fortran order and big-endian numbers are read into a copy; else the array views `bytes`.
// With `are_bfloat16_bits` the file must hold uint16 words, which are read as bfloat16. Throws
// ReadError; allocates only once all bytes that the header claims exist.
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
Array read_npy(std::span<const std::byte> bytes, bool are_bfloat16_bits = false);

// A member of a zip archive, as its central directory describes it.
// https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
struct ZipMember {
    std::string name;
    std::uint64_t crc = 0;  // CRC-32 that its content should have
    // offsets in the archive: local header, data, end of the data
    std::uint64_t begin = 0, data = 0, end = 0;
    std::uint64_t size = 0;  // of its content
    bool is_deflated = false;
};

// The members in the order of their data. Reads no content and copies nothing. Throws ReadError
// for encrypted, zip64 and overlapping members, for methods other than deflate, and for a directory
// that does not add up.
std::vector<ZipMember> list_zip_members(std::span<const std::byte> bytes);

// The content of a member: a part of `bytes` where it is stored, else unpacked bytes that `owner`
// keeps alive. Throws ReadError where its size or its CRC-32 is wrong.
struct ZipContent {
    std::span<const std::byte> bytes;
    std::shared_ptr<const void> owner;
};
ZipContent zip_content(std::span<const std::byte> bytes, const ZipMember& member);

// The arrays of an .npz. The member NAME.npy is the array NAME, and the uint16 words of
// NAME__bf16bits.npy are the bfloat16 array NAME. Stored arrays view `bytes`; others are unpacked
// once. Throws ReadError, as the readers of its arrays do.
FileArrays list_npz(std::span<const std::byte> bytes);

}  // namespace rope::io
