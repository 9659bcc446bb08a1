// NumPy's .npz: a zip archive of .npy members, read through its central directory.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>

#include "io/readers/array.hpp"

namespace rope::io {

// The bytes of each .npy member, by its name without .npy.
using NpzMembers = std::map<std::string, std::span<const std::byte>, std::less<>>;

// Does no I/O and copies nothing: members must be stored. Compressed, encrypted, overlapping,
// duplicate and zip64 members are refused by name, as is one whose CRC-32 is wrong.
ReadResult<NpzMembers> list_npz(std::span<const std::byte> bytes);

// The member NAME, or the bfloat16 array whose bits are the member NAME__bf16bits.
ReadResult<Array> read_npz_member(const NpzMembers& members, const std::string& name);
bool has_npz_member(const NpzMembers& members, const std::string& name);

}  // namespace rope::io
