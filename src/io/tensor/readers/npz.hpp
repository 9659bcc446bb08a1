// NumPy's .npz: a zip archive of .npy members, read through its central directory.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "io/tensor/readers/array.hpp"
#include "io/tensor/readers/zip.hpp"

namespace rope::io {

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
