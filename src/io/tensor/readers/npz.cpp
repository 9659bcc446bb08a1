#include "io/tensor/readers/npz.hpp"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "io/tensor/readers/npy.hpp"

namespace rope::io {
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
