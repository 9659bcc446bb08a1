#include "io/readers/npz.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "io/readers/little_endian.hpp"
#include "io/readers/npy.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

using Bytes = std::span<const std::byte>;

// APPNOTE 4.3.7, 4.3.12, 4.3.16: signatures and sizes of the fixed parts
constexpr std::uint64_t local_signature = 0x04034b50, local_size = 30;
constexpr std::uint64_t central_signature = 0x02014b50, central_size = 46;
constexpr std::uint64_t end_signature = 0x06054b50, end_size = 22, longest_comment = 65'535;
constexpr std::uint64_t in_zip64 = 0xffffffff;
constexpr std::string_view bfloat16_suffix = "__bf16bits";

struct Directory {
    std::uint64_t begin, end, entries;
};

struct Entry {
    std::string name;
    std::uint64_t flags, method, crc, compressed, size, local_offset;
    std::uint64_t offset, end;  // of its record in the directory
};

struct Extent {
    std::uint64_t begin, end;  // local header and data
    std::string name;
};

std::string_view text_at(Bytes bytes, std::uint64_t offset, std::uint64_t length) {
    return {reinterpret_cast<const char*>(bytes.data()) + offset, length};
}

ReadError member_error(std::uint64_t offset, const std::string& name, const std::string& what) {
    return {offset, "member '" + name + "' " + what};
}

ReadResult<Directory> find_directory(Bytes bytes) {
    if (bytes.size() < end_size) return ReadError{0, "is too short for a zip archive"};
    const std::uint64_t last = bytes.size() - end_size;
    const std::uint64_t first = last > longest_comment ? last - longest_comment : 0;
    for (std::uint64_t at = last + 1; at-- > first;) {
        if (little_endian<4>(bytes, at) != end_signature) continue;
        if (little_endian<2>(bytes, at + 20) != last - at) continue;  // the comment ends the file
        const Directory directory{little_endian<4>(bytes, at + 16),
                                  little_endian<4>(bytes, at + 16) + little_endian<4>(bytes, at + 12),
                                  little_endian<2>(bytes, at + 10)};
        if (directory.begin == in_zip64 || directory.entries == 0xffff)
            return ReadError{at, "is a zip64 archive, which is not read"};
        const bool one_disk = little_endian<4>(bytes, at + 4) == 0 &&
                              little_endian<2>(bytes, at + 8) == directory.entries;
        if (!one_disk || directory.end != at)
            return ReadError{at, "its zip directory does not end where it says"};
        return directory;
    }
    return ReadError{last, "is no zip archive: no end-of-directory record"};
}

ReadResult<Entry> read_entry(Bytes bytes, std::uint64_t at, std::uint64_t directory_end) {
    if (directory_end - at < central_size || little_endian<4>(bytes, at) != central_signature)
        return ReadError{at, "the zip directory holds no entry here"};
    const std::uint64_t name_length = little_endian<2>(bytes, at + 28);
    const std::uint64_t length = central_size + name_length + little_endian<2>(bytes, at + 30) +
                                 little_endian<2>(bytes, at + 32);
    if (directory_end - at < length)
        return ReadError{at, "an entry of the zip directory is longer than the directory"};
    return Entry{std::string(text_at(bytes, at + central_size, name_length)),
                 little_endian<2>(bytes, at + 8),
                 little_endian<2>(bytes, at + 10),
                 little_endian<4>(bytes, at + 16),
                 little_endian<4>(bytes, at + 20),
                 little_endian<4>(bytes, at + 24),
                 little_endian<4>(bytes, at + 42),
                 at,
                 at + length};
}

std::optional<ReadError> refuse_entry(const Entry& entry) {
    const auto error = [&](const std::string& what) {
        return member_error(entry.offset, entry.name, what);
    };
    if (entry.compressed == in_zip64 || entry.size == in_zip64 || entry.local_offset == in_zip64)
        return error("is in zip64 format, which is not read");
    if ((entry.flags & 1) != 0) return error("is encrypted");
    if (entry.method == 8)
        return error("is compressed; save with np.savez, not np.savez_compressed");
    if (entry.method != 0) return error("uses compression method " + decimal(entry.method));
    if (entry.compressed != entry.size)
        return error("is stored, yet has " + decimal(entry.compressed) + " bytes for " +
                     decimal(entry.size));
    return std::nullopt;
}

// Where the member's data lies. The local header must agree with the directory; sizes there may
// be deferred (flag bit 3) or, as np.savez always writes them, in a zip64 field.
ReadResult<Extent> locate(Bytes bytes, const Entry& entry, std::uint64_t directory_begin) {
    const std::uint64_t at = entry.local_offset;
    const auto error = [&](const std::string& what) { return member_error(at, entry.name, what); };
    if (at > directory_begin || directory_begin - at < local_size ||
        little_endian<4>(bytes, at) != local_signature)
        return error("has no local header");
    const std::uint64_t name_length = little_endian<2>(bytes, at + 26);
    const std::uint64_t data = at + local_size + name_length + little_endian<2>(bytes, at + 28);
    if (data > directory_begin || directory_begin - data < entry.size)
        return error("claims " + decimal(entry.size) + " bytes, more than there are");
    const std::uint64_t size = little_endian<4>(bytes, at + 22);
    const bool deferred = (entry.flags & 8) != 0;
    if (text_at(bytes, at + local_size, name_length) != entry.name ||
        little_endian<2>(bytes, at + 8) != entry.method ||
        (size != entry.size && size != in_zip64 && !deferred))
        return error("differs between its local header and the directory");
    const Bytes content = bytes.subspan(data, entry.size);
    if (crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()) != entry.crc)
        return error("has a wrong CRC-32; the file is damaged");
    return Extent{at, data + entry.size, entry.name};
}

std::optional<ReadError> refuse_overlap(std::vector<Extent> extents) {
    std::sort(extents.begin(), extents.end(),
              [](const Extent& a, const Extent& b) { return a.begin < b.begin; });
    for (std::size_t i = 1; i < extents.size(); ++i)
        if (extents[i].begin < extents[i - 1].end)
            return member_error(extents[i].begin, extents[i].name,
                                "overlaps member '" + extents[i - 1].name + "'");
    return std::nullopt;
}

}  // namespace

ReadResult<NpzMembers> list_npz(Bytes bytes) {
    const auto found = find_directory(bytes);
    if (const auto* error = std::get_if<ReadError>(&found)) return *error;
    const auto& directory = std::get<Directory>(found);

    NpzMembers members;
    std::vector<Extent> extents;
    std::uint64_t at = directory.begin;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        const auto read = read_entry(bytes, at, directory.end);
        if (const auto* error = std::get_if<ReadError>(&read)) return *error;
        const auto& entry = std::get<Entry>(read);
        if (const auto error = refuse_entry(entry)) return *error;
        const auto located = locate(bytes, entry, directory.begin);
        if (const auto* error = std::get_if<ReadError>(&located)) return *error;
        const auto& extent = std::get<Extent>(located);
        extents.push_back(extent);
        at = entry.end;
        const std::string name =
            entry.name.ends_with(".npy") ? entry.name.substr(0, entry.name.size() - 4) : entry.name;
        if (!members.emplace(name, bytes.subspan(extent.end - entry.size, entry.size)).second)
            return member_error(entry.offset, entry.name, "is there twice");
    }
    if (at != directory.end) return ReadError{at, "the zip directory has more than its entries"};
    if (const auto error = refuse_overlap(std::move(extents))) return *error;
    return members;
}

bool has_npz_member(const NpzMembers& members, const std::string& name) {
    return members.contains(name) || members.contains(name + std::string(bfloat16_suffix));
}

ReadResult<Array> read_npz_member(const NpzMembers& members, const std::string& name) {
    const auto plain = members.find(name);
    const auto bits = members.find(name + std::string(bfloat16_suffix));
    if (plain != members.end() && bits != members.end())
        return ReadError{0, "member '" + name + "' is there both as it is and as bfloat16 bits"};
    if (plain != members.end()) return read_npy(plain->second);
    if (bits != members.end()) return read_npy_bfloat16_bits(bits->second);
    std::string known;
    for (const auto& [member, bytes] : members) known += (known.empty() ? "" : ", ") + member;
    return ReadError{0, "has no member '" + name + "'; it has " + known};
}

}  // namespace rope::io
