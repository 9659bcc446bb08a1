// Reads NumPy's .npz, a zip archive of .npy files, through the archive's central directory.
#include <zlib.h>

#include <algorithm>

#include "io/tensor/readers.hpp"

namespace rope::io {
namespace {

using Bytes = std::span<const std::byte>;

// APPNOTE 4.3.7, 4.3.12, 4.3.16: signatures and sizes of the fixed parts
constexpr std::uint64_t local_signature = 0x04034b50, local_size = 30;
constexpr std::uint64_t central_signature = 0x02014b50, central_size = 46;
constexpr std::uint64_t end_signature = 0x06054b50, end_size = 22, longest_comment = 65'535;
constexpr std::uint64_t in_zip64 = 0xffffffff;
constexpr std::uint64_t stored = 0, deflated = 8;
constexpr std::uint64_t most_inflated = 1032;  // deflate's largest ratio: 258 bytes from two bits

struct Directory {
    std::uint64_t begin, end, entries;
};

// An entry of the directory.
struct Entry {
    ZipMember member;  // `begin` is the local header; `data` and `end` are not known yet
    std::uint64_t flags, method, compressed;
    std::uint64_t offset, end;  // of the entry
};

[[noreturn]] void refuse(std::uint64_t offset, const std::string& name, const std::string& what) {
    throw ReadError(offset, "member '" + name + "' " + what);
}

Directory find_directory(Bytes bytes) {
    if (bytes.size() < end_size) throw ReadError(bytes.size(), "the zip archive (.npz) ends here");
    const std::uint64_t last = bytes.size() - end_size;
    const std::uint64_t first = last > longest_comment ? last - longest_comment : 0;
    for (std::uint64_t at = last + 1; at-- > first;) {
        if (little_endian<4>(bytes, at) != end_signature) continue;
        if (little_endian<2>(bytes, at + 20) != last - at) continue;  // the comment ends the file
        const Directory directory{
            little_endian<4>(bytes, at + 16),
            little_endian<4>(bytes, at + 16) + little_endian<4>(bytes, at + 12),
            little_endian<2>(bytes, at + 10)};
        if (directory.begin == in_zip64 || directory.entries == 0xffff)
            throw ReadError(at, "is a zip64 archive, which is not read");
        const bool one_disk = little_endian<4>(bytes, at + 4) == 0 &&
                              little_endian<2>(bytes, at + 8) == directory.entries;
        if (!one_disk || directory.end != at)
            throw ReadError(at, "its zip directory does not end where its header says");
        return directory;
    }
    throw ReadError(last, little_endian<4>(bytes, 0) == local_signature
                              ? "the zip archive (.npz) is cut off here; copy the file again"
                              : "is not a zip archive: no end-of-directory record");
}

Entry read_entry(Bytes bytes, std::uint64_t at, std::uint64_t directory_end) {
    if (directory_end - at < central_size || little_endian<4>(bytes, at) != central_signature)
        throw ReadError(at, "the zip directory has no entry here");
    const std::uint64_t name_length = little_endian<2>(bytes, at + 28);
    const std::uint64_t length = central_size + name_length + little_endian<2>(bytes, at + 30) +
                                 little_endian<2>(bytes, at + 32);
    if (directory_end - at < length)
        throw ReadError(at, "an entry of the zip directory is longer than the directory");
    const auto word = [&](std::uint64_t offset) { return little_endian<4>(bytes, at + offset); };
    const std::uint64_t method = little_endian<2>(bytes, at + 10);
    return {{.name = std::string(as_text(bytes.subspan(at + central_size, name_length))),
             .crc = word(16),
             .begin = word(42),
             .size = word(24),
             .is_deflated = method == deflated},
            little_endian<2>(bytes, at + 8),
            method,
            word(20),
            at,
            at + length};
}

void require_readable(const Entry& entry) {
    const std::uint64_t size = entry.member.size, compressed = entry.compressed;
    const auto error = [&](const std::string& what) {
        refuse(entry.offset, entry.member.name, what);
    };
    if (compressed == in_zip64 || size == in_zip64 || entry.member.begin == in_zip64)
        error("is in zip64 format, which is not read");
    if ((entry.flags & 1) != 0) error("is encrypted");
    if (entry.method != stored && entry.method != deflated)
        error("uses compression method " + decimal(entry.method) +
              "; save with np.savez or np.savez_compressed");
    if (entry.method == deflated && size / most_inflated > compressed)
        error("claims " + decimal(size) + " bytes, more than deflate could unpack");
    if (entry.method == stored && compressed != size)
        error("is stored, yet has " + decimal(compressed) + " bytes for " + decimal(size));
}

// Finds the member's data. The local header must agree with the directory; sizes there may be
// deferred (flag bit 3) or, as np.savez always writes them, in a zip64 field.
ZipMember located(Bytes bytes, const Entry& entry, std::uint64_t directory_begin) {
    ZipMember member = entry.member;
    const std::uint64_t at = member.begin;
    if (at > directory_begin || directory_begin - at < local_size ||
        little_endian<4>(bytes, at) != local_signature)
        refuse(at, member.name, "has no local header");
    const std::uint64_t name_length = little_endian<2>(bytes, at + 26);
    member.data = at + local_size + name_length + little_endian<2>(bytes, at + 28);
    if (member.data > directory_begin || directory_begin - member.data < entry.compressed)
        refuse(at, member.name,
               "claims " + decimal(entry.compressed) + " bytes, more than there are");
    member.end = member.data + entry.compressed;
    const std::uint64_t size = little_endian<4>(bytes, at + 22);
    const bool deferred = (entry.flags & 8) != 0;
    if (as_text(bytes.subspan(at + local_size, name_length)) != member.name ||
        little_endian<2>(bytes, at + 8) != entry.method ||
        (size != member.size && size != in_zip64 && !deferred))
        refuse(at, member.name, "differs between its local header and the directory");
    return member;
}

Bytef* for_zlib(const std::byte* bytes) {
    return reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes));  // which only reads them
}

// Unpacks with zlib. Returns nothing unless `packed` is one whole stream of exactly `size` bytes.
std::shared_ptr<const std::vector<std::byte>> inflated(Bytes packed, std::uint64_t size) {
    constexpr int raw_deflate = -MAX_WBITS;
    // one byte more, so that a longer stream is noticed
    const auto content = std::make_shared<std::vector<std::byte>>(size + 1);
    z_stream stream{};
    if (inflateInit2(&stream, raw_deflate) != Z_OK) throw std::bad_alloc();
    stream.next_in = for_zlib(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = for_zlib(content->data());
    stream.avail_out = static_cast<uInt>(content->size());
    const int status = inflate(&stream, Z_FINISH);
    const bool whole = status == Z_STREAM_END && stream.total_out == size && stream.avail_in == 0;
    inflateEnd(&stream);
    if (!whole) return nullptr;
    content->pop_back();
    return content;
}

Array read_member(Bytes archive, const ZipMember& member, bool are_bfloat16_bits) {
    ZipContent content = zip_content(archive, member);
    try {
        Array array = read_npy(content.bytes, are_bfloat16_bits);
        if (!array.owner) array.owner = std::move(content.owner);
        return array;
    } catch (const ReadError& error) {
        if (!member.is_deflated) throw ReadError(member.data + error.offset, error.what());
        throw ReadError(error.offset, std::string(error.what()) +
                                          " (the byte is counted in the unpacked member)");
    }
}

}  // namespace

std::vector<ZipMember> list_zip_members(Bytes bytes) {
    const Directory directory = find_directory(bytes);
    std::vector<ZipMember> members;
    std::uint64_t at = directory.begin;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        const Entry entry = read_entry(bytes, at, directory.end);
        require_readable(entry);
        members.push_back(located(bytes, entry, directory.begin));
        at = entry.end;
    }
    if (at != directory.end) throw ReadError(at, "the zip directory has more than its entries");
    std::ranges::sort(members, {}, &ZipMember::begin);
    // Many members on the same bytes are how a small archive becomes a large one.
    for (std::size_t i = 1; i < members.size(); ++i)
        if (members[i].begin < members[i - 1].end)
            refuse(members[i].begin, members[i].name,
                   "overlaps member '" + members[i - 1].name + "'");
    return members;
}

ZipContent zip_content(Bytes bytes, const ZipMember& member) {
    ZipContent content{bytes.subspan(member.data, member.end - member.data), nullptr};
    if (member.is_deflated) {
        const auto own = inflated(content.bytes, member.size);
        if (!own)
            refuse(member.data, member.name,
                   "does not unpack to the size it claims; the file is damaged");
        content = {*own, own};
    }
    const auto* data = reinterpret_cast<const Bytef*>(content.bytes.data());
    if (crc32_z(0, data, content.bytes.size()) != member.crc)
        refuse(member.data, member.name, "has a wrong CRC-32; the file is damaged");
    return content;
}

FileArrays list_npz(Bytes bytes) {
    constexpr std::string_view bits_suffix = "__bf16bits";
    FileArrays arrays;
    for (const ZipMember& member : list_zip_members(bytes)) {
        std::string name = member.name;
        if (name.ends_with(".npy")) name.resize(name.size() - 4);
        const bool are_bits = name.ends_with(bits_suffix);
        if (are_bits) name.resize(name.size() - bits_suffix.size());
        const auto read = [=, known = std::optional<Array>()]() mutable {
            if (!known) known = read_member(bytes, member, are_bits);
            return *known;
        };
        if (!arrays.readers.emplace(name, read).second)
            throw ReadError(member.begin, "member '" + member.name + "' appears twice");
        if (member.is_deflated) arrays.unpacked_bytes += member.size;
    }
    return arrays;
}

}  // namespace rope::io
