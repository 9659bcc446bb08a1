#include "io/readers/npz.hpp"

#include <zlib.h>

#include <cstdint>
#include <string_view>

#include "io/readers/npy.hpp"
#include "io/readers/zip.hpp"

namespace rope::io {
namespace {

constexpr std::string_view bfloat16_suffix = "__bf16bits";

bool is_damaged(std::span<const std::byte> content, std::uint64_t crc) {
    return crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()) != crc;
}

}  // namespace

ReadResult<NpzMembers> list_npz(std::span<const std::byte> bytes) {
    const auto listed = list_stored_members(bytes);
    if (const auto* error = std::get_if<ReadError>(&listed)) return *error;
    NpzMembers contents;
    for (const auto& [name, crc, begin, data, end] : std::get<std::vector<ZipMember>>(listed)) {
        const auto content = bytes.subspan(data, end - data);
        if (is_damaged(content, crc))
            return ReadError{data, "member '" + name + "' has a wrong CRC-32; the file is damaged"};
        const std::size_t stem = name.size() - (name.ends_with(".npy") ? 4 : 0);
        if (!contents.emplace(name.substr(0, stem), content).second)
            return ReadError{begin, "member '" + name + "' is there twice"};
    }
    return contents;
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
