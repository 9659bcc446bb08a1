// The content of one member: as it lies there, or inflated by zlib into exactly its claimed size.
#include <zlib.h>

#include <new>
#include <optional>
#include <utility>

#include "io/tensor/readers/zip.hpp"

namespace rope::io {
namespace {

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

}  // namespace rope::io
