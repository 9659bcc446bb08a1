// NumPy's .npz: a zip archive of .npy members.
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "io/tensor/readers/array.hpp"
#include "io/tensor/readers/npy.hpp"

namespace rope::io {
namespace {

using Bytes = std::span<const std::byte>;

// APPNOTE 4.3.7, 4.3.12, 4.3.16: signatures and sizes of the fixed parts
constexpr std::uint64_t local_signature = 0x04034b50, local_size = 30;
constexpr std::uint64_t central_signature = 0x02014b50, central_size = 46;
constexpr std::uint64_t end_signature = 0x06054b50, end_size = 22, longest_comment = 65'535;
constexpr std::uint64_t in_zip64 = 0xffffffff;
constexpr std::uint64_t stored = 0, deflated = 8;
constexpr std::uint64_t most_inflated = 1032;  // times; RFC 1951: 258 bytes from two bits

struct Directory {
    std::uint64_t begin, end, entries;
};

struct Entry {
    std::string name;
    std::uint64_t flags, method, crc, compressed, size, local_offset;
    std::uint64_t offset, end;  // of its record in the directory
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
        const Directory directory{
            little_endian<4>(bytes, at + 16),
            little_endian<4>(bytes, at + 16) + little_endian<4>(bytes, at + 12),
            little_endian<2>(bytes, at + 10)};
        if (directory.begin == in_zip64 || directory.entries == 0xffff)
            return ReadError{at, "is a zip64 archive, which is not read"};
        const bool one_disk = little_endian<4>(bytes, at + 4) == 0 &&
                              little_endian<2>(bytes, at + 8) == directory.entries;
        if (!one_disk || directory.end != at)
            return ReadError{at, "its zip directory does not end where its header says"};
        return directory;
    }
    return ReadError{last, "is not a zip archive: no end-of-directory record"};
}

ReadResult<Entry> read_entry(Bytes bytes, std::uint64_t at, std::uint64_t directory_end) {
    if (directory_end - at < central_size || little_endian<4>(bytes, at) != central_signature)
        return ReadError{at, "the zip directory has no entry here"};
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
    if (entry.method != stored && entry.method != deflated)
        return error("uses compression method " + decimal(entry.method) +
                     "; save with np.savez or np.savez_compressed");
    if (entry.method == deflated && entry.size / most_inflated > entry.compressed)
        return error("claims " + decimal(entry.size) + " bytes, more than deflate could unpack");
    if (entry.method == stored && entry.compressed != entry.size)
        return error("is stored, yet has " + decimal(entry.compressed) + " bytes for " +
                     decimal(entry.size));
    return std::nullopt;
}

// Where the member's data lies. The local header must agree with the directory; sizes there may
// be deferred (flag bit 3) or, as np.savez always writes them, in a zip64 field.
ReadResult<ZipMember> locate(Bytes bytes, const Entry& entry, std::uint64_t directory_begin) {
    const std::uint64_t at = entry.local_offset;
    const auto error = [&](const std::string& what) { return member_error(at, entry.name, what); };
    if (at > directory_begin || directory_begin - at < local_size ||
        little_endian<4>(bytes, at) != local_signature)
        return error("has no local header");
    const std::uint64_t name_length = little_endian<2>(bytes, at + 26);
    const std::uint64_t data = at + local_size + name_length + little_endian<2>(bytes, at + 28);
    if (data > directory_begin || directory_begin - data < entry.compressed)
        return error("claims " + decimal(entry.compressed) + " bytes, more than there are");
    const std::uint64_t size = little_endian<4>(bytes, at + 22);
    const bool deferred = (entry.flags & 8) != 0;
    if (text_at(bytes, at + local_size, name_length) != entry.name ||
        little_endian<2>(bytes, at + 8) != entry.method ||
        (size != entry.size && size != in_zip64 && !deferred))
        return error("differs between its local header and the directory");
    return ZipMember{.name = entry.name,
                     .crc = entry.crc,
                     .begin = at,
                     .data = data,
                     .end = data + entry.compressed,
                     .size = entry.size,
                     .is_deflated = entry.method == deflated};
}

ReadResult<std::vector<ZipMember>> list_members(Bytes bytes, const Directory& directory) {
    std::vector<ZipMember> members;
    std::uint64_t at = directory.begin;
    for (std::uint64_t i = 0; i < directory.entries; ++i) {
        const auto read = read_entry(bytes, at, directory.end);
        if (const auto* error = std::get_if<ReadError>(&read)) return *error;
        const auto& entry = std::get<Entry>(read);
        if (const auto error = refuse_entry(entry)) return *error;
        auto located = locate(bytes, entry, directory.begin);
        if (const auto* error = std::get_if<ReadError>(&located)) return *error;
        members.push_back(std::get<ZipMember>(std::move(located)));
        at = entry.end;
    }
    if (at != directory.end) return ReadError{at, "the zip directory has more than its entries"};
    std::sort(members.begin(), members.end(),
              [](const ZipMember& a, const ZipMember& b) { return a.begin < b.begin; });
    return members;
}

// Many members on the same bytes are how a small archive becomes a large one, so this comes
// before anything reads their content.
std::optional<ReadError> refuse_overlap(const std::vector<ZipMember>& members) {
    for (std::size_t i = 1; i < members.size(); ++i)
        if (members[i].begin < members[i - 1].end)
            return member_error(members[i].begin, members[i].name,
                                "overlaps member '" + members[i - 1].name + "'");
    return std::nullopt;
}

}  // namespace

ReadResult<std::vector<ZipMember>> list_zip_members(Bytes bytes) {
    const auto directory = find_directory(bytes);
    if (const auto* error = std::get_if<ReadError>(&directory)) return *error;
    auto members = list_members(bytes, std::get<Directory>(directory));
    if (const auto* listed = std::get_if<std::vector<ZipMember>>(&members)) {
        if (const auto error = refuse_overlap(*listed)) return *error;
    }
    return members;
}

namespace {

// The content of one member: as it lies there, or inflated by zlib into exactly its claimed size.

using Bytes = std::span<const std::byte>;

Bytef* for_zlib(const std::byte* bytes) {
    return reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes));  // which only reads them
}

// Nothing unless `packed` is one whole deflate stream of exactly `size` bytes.
std::optional<std::vector<std::byte>> inflated(Bytes packed, std::uint64_t size) {
    constexpr int raw_deflate = -MAX_WBITS;
    std::vector<std::byte> content(size + 1);  // one more, so that a longer stream is seen to be
    z_stream stream{};
    if (inflateInit2(&stream, raw_deflate) != Z_OK) throw std::bad_alloc();
    stream.next_in = for_zlib(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = for_zlib(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    const int status = inflate(&stream, Z_FINISH);
    const bool whole = status == Z_STREAM_END && stream.total_out == size && stream.avail_in == 0;
    inflateEnd(&stream);
    if (!whole) return std::nullopt;
    content.pop_back();
    return content;
}

}  // namespace

ReadResult<ZipContent> zip_content(Bytes bytes, const ZipMember& member) {
    const auto error = [&](const char* what) {
        return ReadError{member.data, "member '" + member.name + "' " + what};
    };
    ZipContent content{bytes.subspan(member.data, member.end - member.data), nullptr};
    if (member.is_deflated) {
        auto unpacked = inflated(content.bytes, member.size);
        if (!unpacked) return error("does not unpack to the size it claims; the file is damaged");
        const auto own = std::make_shared<const std::vector<std::byte>>(*std::move(unpacked));
        content = {*own, own};
    }
    const auto* data = reinterpret_cast<const Bytef*>(content.bytes.data());
    if (crc32_z(0, data, content.bytes.size()) != member.crc)
        return error("has a wrong CRC-32; the file is damaged");
    return content;
}

namespace {

constexpr std::string_view bfloat16_suffix = "__bf16bits";

using NpyReader = ReadResult<Array> (*)(std::span<const std::byte>);

ReadResult<Array> read_with(NpyReader read, const NpzMember& member) {
    auto unpacked = zip_content(member.archive, member.zip);
    if (const auto* error = std::get_if<ReadError>(&unpacked)) return *error;
    auto& content = std::get<ZipContent>(unpacked);
    auto result = read(content.bytes);
    if (auto* array = std::get_if<Array>(&result); array != nullptr && !array->owner)
        array->owner = std::move(content.owner);
    auto* error = std::get_if<ReadError>(&result);
    if (error != nullptr && member.zip.is_deflated)
        error->what += " (the byte is counted in the unpacked member)";
    else if (error != nullptr)
        error->offset += member.zip.data;
    return result;
}

}  // namespace

ReadResult<NpzMembers> list_npz(std::span<const std::byte> bytes) {
    auto listed = list_zip_members(bytes);
    if (const auto* error = std::get_if<ReadError>(&listed)) return *error;
    NpzMembers members;
    for (ZipMember& member : std::get<std::vector<ZipMember>>(listed)) {
        const std::string file = member.name;
        const std::uint64_t begin = member.begin;
        const std::size_t stem = file.size() - (file.ends_with(".npy") ? 4 : 0);
        if (!members.try_emplace(file.substr(0, stem), NpzMember{bytes, std::move(member)}).second)
            return ReadError{begin, "member '" + file + "' appears twice"};
    }
    return members;
}

std::vector<std::string> npz_names(const NpzMembers& members) {
    std::vector<std::string> names;
    for (const auto& [name, member] : members)
        names.push_back(name.ends_with(bfloat16_suffix)
                            ? name.substr(0, name.size() - bfloat16_suffix.size())
                            : name);
    return names;
}

std::uint64_t unpacked_bytes(const NpzMembers& members) {
    std::uint64_t total = 0;  // at most 2^16 members of less than 2^32 bytes
    for (const auto& [name, member] : members)
        if (member.zip.is_deflated) total += member.zip.size;
    return total;
}

bool has_npz_member(const NpzMembers& members, const std::string& name) {
    return members.contains(name) || members.contains(name + std::string(bfloat16_suffix));
}

ReadResult<Array> read_npz_member(const NpzMembers& members, const std::string& name) {
    const auto plain = members.find(name);
    const auto bits = members.find(name + std::string(bfloat16_suffix));
    if (plain != members.end() && bits != members.end())
        return ReadError{0, "member '" + name + "' appears both as it is and as bfloat16 bits"};
    if (plain != members.end()) return read_with(read_npy, plain->second);
    if (bits != members.end()) return read_with(read_npy_bfloat16_bits, bits->second);
    return ReadError{
        0, "has no member '" + name + "'; it has " + join(members, &NpzMembers::value_type::first)};
}

}  // namespace rope::io
