#include <gtest/gtest.h>

#include <ostream>
#include <span>
#include <string>

#include "base/error.hpp"
#include "io/tensor/readers/readers.hpp"
#include "io/tensor/tensor_file.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"

namespace rope::io {
namespace npz_test {

const std::string one = npy_floats("(1,)", {1});
const std::string two = npy_floats("(2,)", {1, 2});

// The error of list_npz or of a member, or empty.
std::string refusal(const std::string& archive) {
    const std::string error = read_error([&] {
        for (const auto& [name, read] : list_npz(as_bytes(archive)).readers) read();
    });
    return error.empty() ? "" : error.substr(error.find(' ') + 1);
}

TEST(Npz, ReadsStoredMembersWithSizesInAnyField) {
    for (const bool zip64_local : {true, false}) {
        const std::string archive =
            npz({{.name = "cos.npy", .data = one, .zip64_local = zip64_local},
                 {.name = "sin.npy", .data = two, .zip64_local = zip64_local}});
        const auto readers = list_npz(as_bytes(archive)).readers;
        EXPECT_EQ(readers.size(), 2u);
        EXPECT_EQ(readers.at("sin")().values(), (std::vector<double>{1, 2}));
    }
    EXPECT_EQ(refusal(npz({})), "");
    const std::string commented = npz({{.name = "a.npy", .data = one}});
    std::string comment = commented;
    comment.replace(comment.size() - 2, 2, little(3, 2));
    EXPECT_EQ(refusal(comment + "abc"), "");
    EXPECT_NE(refusal(commented + "abc"), "");
}

TEST(Npz, ReadsBfloat16BitsUnderTheirPlainName) {
    const std::string bits = npy("<u2", "(1,)", raw<std::uint16_t>({0x3fc0}));
    const std::string archive = npz({{.name = "q__bf16bits.npy", .data = bits}});
    const Array array = list_npz(as_bytes(archive)).readers.at("q")();
    EXPECT_EQ(array.format(), Format::bfloat16);
    EXPECT_EQ(array.values(), std::vector<double>{1.5});
}

struct Refused {
    const char* name;
    std::vector<TestMember> members;
    const char* message;
};

// clang-format off
const Refused refused[] = {
    Refused{"not_deflated", {{.name = "a.npy", .data = one, .method = 8}}, "member 'a.npy' does not unpack to the size it claims; the file is damaged"},
    Refused{"other_method", {{.name = "a.npy", .data = one, .method = 93}}, "member 'a.npy' uses compression method 93; save with np.savez or np.savez_compressed"},
    Refused{"deflated_crc", {{.name = "a.npy", .data = one, .method = 8, .crc_lie = 1, .packed = deflated(one)}}, "member 'a.npy' has a wrong CRC-32; the file is damaged"},
    Refused{"unpacks_to_more", {{.name = "a.npy", .data = one, .method = 8, .size_lie = -1, .packed = deflated(one)}}, "member 'a.npy' does not unpack to the size it claims; the file is damaged"},
    Refused{"unpacks_to_less", {{.name = "a.npy", .data = one, .method = 8, .size_lie = 1, .packed = deflated(one)}}, "member 'a.npy' does not unpack to the size it claims; the file is damaged"},
    Refused{"stream_and_more", {{.name = "a.npy", .data = one, .method = 8, .packed = deflated(one) + "x"}}, "member 'a.npy' does not unpack to the size it claims; the file is damaged"},
    Refused{"beyond_deflate", {{.name = "a.npy", .data = one, .method = 8, .size_lie = 1 << 20, .packed = deflated(one)}}, "member 'a.npy' claims 1048708 bytes, more than deflate could unpack"},
    Refused{"encrypted", {{.name = "a.npy", .data = one, .flags = 1}}, "member 'a.npy' is encrypted"},
    Refused{"duplicate", {{.name = "a.npy", .data = one}, {.name = "a.npy", .data = two}}, "member 'a.npy' appears twice"},
    Refused{"duplicate_stem", {{.name = "a.npy", .data = one}, {.name = "a", .data = two}}, "member 'a' appears twice"},
    Refused{"crc", {{.name = "a.npy", .data = one, .crc_lie = 1}}, "member 'a.npy' has a wrong CRC-32; the file is damaged"},
    Refused{"size_too_large", {{.name = "a.npy", .data = one, .size_lie = 1}}, "member 'a.npy' claims 133 bytes, more than there are"},
    Refused{"size_too_small", {{.name = "a.npy", .data = one, .size_lie = -4, .zip64_local = false}}, "member 'a.npy' differs between its local header and the directory"},
    Refused{"size_too_small_zip64", {{.name = "a.npy", .data = one, .size_lie = -4}}, "member 'a.npy' has a wrong CRC-32; the file is damaged"},
    Refused{"size_beyond_file", {{.name = "a.npy", .data = one, .size_lie = 1'000'000}}, "member 'a.npy' claims 1000132 bytes, more than there are"},
    Refused{"zip64", {{.name = "a.npy", .data = one, .size_lie = 0xffffffff - 132}}, "member 'a.npy' is in zip64 format, which is not read"},
    Refused{"no_local_header", {{.name = "a.npy", .data = one, .offset_lie = 1}}, "member 'a.npy' has no local header"},
    Refused{"offset_beyond_file", {{.name = "a.npy", .data = one, .offset_lie = 0x7fffffff}}, "member 'a.npy' has no local header"},
    Refused{"other_local_name", {{.name = "a.npy", .data = one, .local_name = "b.npy"}}, "member 'a.npy' differs between its local header and the directory"}};
// clang-format on

TEST(RefusedNpz, IsRefusedByName) {
    for (const auto& [name, input, message] : refused)
        EXPECT_EQ(refusal(npz(input)), message) << name;
}

TEST(Npz, UnpacksMembersOnlyWhenAskedFor) {
    const std::string archive = npz(
        {compressed("cos.npy", one), {.name = "sin.npy", .data = two}, compressed("q.npy", two)});
    const auto readers = list_npz(as_bytes(archive)).readers;
    const Array cos = readers.at("cos")();
    EXPECT_EQ(cos.values(), std::vector<double>{1});
    EXPECT_NE(cos.owner, nullptr);
    EXPECT_EQ(readers.at("q")().values(), (std::vector<double>{1, 2}));
    EXPECT_EQ(readers.at("sin")().owner, nullptr);
}

TEST(Npz, RefusesABombBeforeItUnpacksAnything) {
    // three members of 3 MB that claim 1 GiB each, which deflate could hold
    const std::string zeros = deflated(std::string(std::size_t{1} << 20, '\0'));
    std::string packed;
    while (packed.size() < 1'100'000) packed += zeros;
    std::vector<TestMember> members;
    for (const char* name : {"a.npy", "b.npy", "c.npy"})
        members.push_back({.name = name,
                           .data = one,
                           .method = 8,
                           .size_lie = (std::int64_t{1} << 30) - 132,
                           .packed = packed});
    const auto refused = [&](const MemoryLimit& limit) {
        const std::string archive = npz(members);
        const auto bytes = std::as_bytes(std::span(archive));
        return error_message<InputError>(
            [&] { tensor_file_of("x.npz", {FileBytes(bytes), 0}, limit); });
    };
    EXPECT_EQ(refused({.bytes = std::uint64_t{3} << 30}),
              "x.npz: needs 3.1 GiB of memory; the limit is 3 GiB");
    EXPECT_EQ(refused({.used = std::uint64_t{2} << 30, .name = "--max-memory"}),
              "x.npz: needs 3.1 GiB of memory in addition to 2 GiB of other files; --max-memory is "
              "4 GiB");
}

TEST(Npz, RefusesMembersThatShareBytes) {
    // the second entry has the offset of the first one's local header
    std::string archive = npz({{.name = "a.npy", .data = one}, {.name = "a.npy", .data = one}});
    const std::size_t second = archive.rfind("PK\x01\x02");
    archive.replace(second + 42, 4, little(0, 4));
    EXPECT_EQ(refusal(archive), "member 'a.npy' overlaps member 'a.npy'");
}

TEST(Npz, RefusesADirectoryThatDoesNotAddUp) {
    const std::string archive = npz({{.name = "a.npy", .data = one}});
    const std::size_t end = archive.rfind("PK\x05\x06");
    const auto with = [&](std::size_t at, std::uint64_t value, int bytes) {
        std::string broken = archive;
        broken.replace(end + at, static_cast<std::size_t>(bytes), little(value, bytes));
        return refusal(broken);
    };
    EXPECT_EQ(with(4, 1, 2), "its zip directory does not end where its header says");  // disk 1
    EXPECT_EQ(with(8, 2, 2),
              "its zip directory does not end where its header says");  // entries here
    EXPECT_EQ(with(12, 3, 4), "its zip directory does not end where its header says");  // size
    EXPECT_EQ(with(16, 0xffffffff, 4), "is a zip64 archive, which is not read");
    std::string more = archive;
    more.replace(end + 8, 4, little(2, 2) + little(2, 2));
    EXPECT_EQ(refusal(more), "the zip directory has no entry here");
    std::string fewer = archive;
    fewer.replace(end + 8, 4, little(0, 2) + little(0, 2));
    EXPECT_EQ(refusal(fewer), "the zip directory has more than its entries");
}

TEST(Npz, SurvivesTruncationAtEveryByte) {
    const std::string archive = npz({{.name = "a.npy", .data = one}, compressed("b.npy", two)});
    for (std::size_t length = 0; length < archive.size(); ++length)
        EXPECT_NE(refusal(archive.substr(0, length)), "") << length;
}

}  // namespace npz_test
}  // namespace rope::io
