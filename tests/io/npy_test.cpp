#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <numeric>

#include "base/error.hpp"
#include "io/tensor/array.hpp"
#include "io/tensor/readers.hpp"
#include "io/tensor/tensor_file.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"

namespace rope::io::npy_test {

using Values = std::vector<double>;
using Shape = std::vector<std::uint64_t>;

Array accepted(std::string file) {
    static std::deque<std::string> files;  // an Array views its file
    return read_npy(as_bytes(files.emplace_back(std::move(file))));
}

// "offset: text", or empty if the file is accepted.
std::string refusal(const std::string& file) {
    return read_error([&] { read_npy(as_bytes(file)); });
}

TEST(Npy, ReadsEveryVersionAndShape) {
    for (const int version : {1, 2, 3}) {
        const Array array =
            accepted(npy("<f4", "(2, 3)", raw<float>({1, 2, 3, 4, 5, 6.5}), "False", version));
        EXPECT_EQ(array.shape, (Shape{2, 3}));
        EXPECT_EQ(array.format(), Format::float32);
        EXPECT_EQ(array.values(), (Values{1, 2, 3, 4, 5, 6.5}));
    }
    EXPECT_EQ(accepted(npy_floats("()", {7})).shape, Shape{});
    EXPECT_EQ(accepted(npy_floats("(1,)", {7})).shape, Shape{1});
    EXPECT_EQ(accepted(npy_floats("(0, 5)", {})).values(), Values{});
    EXPECT_EQ(accepted(npy_floats("(1, 2,)", {7, 8})).shape, (Shape{1, 2}));
}

TEST(Npy, ReadsEveryDtypeExactly) {
    EXPECT_EQ(accepted(npy("<f8", "(2,)", raw<double>({0.1, -0x1p-1074}))).values(),
              (Values{0.1, -0x1p-1074}));
    // 1, -2, largest, smallest subnormal, infinity, -0
    const Array half = accepted(
        npy("<f2", "(6,)", raw<std::uint16_t>({0x3c00, 0xc000, 0x7bff, 0x0001, 0x7c00, 0x8000})));
    EXPECT_EQ(half.format(), Format::float16);
    EXPECT_EQ(half.values(), (Values{1, -2, 65504, 0x1p-24, INFINITY, -0.0}));
    EXPECT_TRUE(std::signbit(half.values().back()));
    EXPECT_TRUE(std::isnan(accepted(npy("<f2", "(1,)", raw<std::uint16_t>({0x7e00}))).values()[0]));
    EXPECT_EQ(accepted(npy("|i1", "(2,)", raw<std::int8_t>({-128, 127}))).values(),
              (Values{-128, 127}));
    EXPECT_EQ(accepted(npy("<i2", "(1,)", raw<std::int16_t>({-2}))).values(), Values{-2});
    EXPECT_EQ(accepted(npy("<i4", "(1,)", raw<std::int32_t>({-3}))).values(), Values{-3});
    const Array wide = accepted(npy("<i8", "(2,)", raw<std::int64_t>({-(1LL << 53), 1LL << 53})));
    EXPECT_EQ(wide.values(), (Values{-0x1p53, 0x1p53}));
    EXPECT_EQ(wide.format(), std::nullopt);
    EXPECT_EQ(accepted(npy("|u1", "(1,)", raw<std::uint8_t>({255}))).values(), Values{255});
    EXPECT_EQ(accepted(npy("<u2", "(1,)", raw<std::uint16_t>({65535}))).values(), Values{65535});
    EXPECT_EQ(accepted(npy("<u4", "(1,)", raw<std::uint32_t>({~0u}))).values(), Values{4294967295});
}

TEST(Npy, ReadsComplexNumbersAsALastAxisOfTwo) {
    const Array single = accepted(npy("<c8", "(2,)", raw<float>({1, 2, 3, 4})));
    EXPECT_EQ(single.shape, (Shape{2, 2}));
    EXPECT_EQ(single.format(), Format::float32);
    EXPECT_EQ(single.values(), (Values{1, 2, 3, 4}));
    const Array twofold = accepted(npy("<c16", "()", raw<double>({0.5, -0.25})));
    EXPECT_EQ(twofold.shape, Shape{2});
    EXPECT_EQ(twofold.format(), Format::float64);
}

// The numbers with reversed bytes.
std::string reversed_bytes(std::string text, std::size_t size) {
    for (std::size_t at = 0; at < text.size(); at += size)
        std::reverse(text.begin() + static_cast<std::ptrdiff_t>(at),
                     text.begin() + static_cast<std::ptrdiff_t>(at + size));
    return text;
}

TEST(Npy, ReadsBigEndianNumbersAsTheSameNumbers) {
    const auto big = [](const char* descr, const std::string& data, std::size_t size) {
        return accepted(npy(descr, "(2,)", reversed_bytes(data, size)));
    };
    EXPECT_EQ(big(">f4", raw<float>({1.5, -3}), 4).values(), (Values{1.5, -3}));
    EXPECT_EQ(big(">f8", raw<double>({0.1, 2}), 8).values(), (Values{0.1, 2}));
    EXPECT_EQ(big(">f2", raw<std::uint16_t>({0x3c00, 0xc000}), 2).values(), (Values{1, -2}));
    EXPECT_EQ(big(">i8", raw<std::int64_t>({-5, 7}), 8).values(), (Values{-5, 7}));
    EXPECT_EQ(big(">c8", raw<float>({1, 2, 3, 4}), 4).values(), (Values{1, 2, 3, 4}));
    EXPECT_EQ(big(">f4", raw<float>({1.5, -3}), 4).format(), Format::float32);
}

TEST(Npy, ReadsFortranOrderRowByRow) {
    // [[[0, 1, 2, 3], …], …] of shape (2, 3, 4): the first index varies fastest in the file
    std::vector<float> file;
    for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3; ++j)
            for (int i = 0; i < 2; ++i) file.push_back(static_cast<float>(12 * i + 4 * j + k));
    const Array array = accepted(npy("<f4", "(2, 3, 4)", raw(file), "True"));
    Values expected(24);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(array.values(), expected);
    EXPECT_EQ(array.shape, (Shape{2, 3, 4}));
    EXPECT_EQ(accepted(npy("<f4", "(3,)", raw<float>({1, 2, 3}), "True")).values(),
              (Values{1, 2, 3}));
    EXPECT_EQ(accepted(npy("<f4", "(0, 5)", "", "True")).values(), Values{});
    const std::string complex = raw<double>({1, 10, 3, 30, 2, 20, 4, 40});
    EXPECT_EQ(accepted(npy(">c16", "(2, 2)", reversed_bytes(complex, 8), "True")).values(),
              (Values{1, 10, 2, 20, 3, 30, 4, 40}));
}

TEST(Raw, IsNothingButTheNumbers) {
    const std::string file = raw<float>({1, 2, 3, 4});
    const auto read = [&](Element element, const Shape& shape) {
        return typed_array(as_bytes(file), {0, file.size(), 0}, shape, element);
    };
    EXPECT_EQ(read(Element::float32, {2, 2}).values(), (Values{1, 2, 3, 4}));
    EXPECT_EQ(read_error([&] { read(Element::float32, {3}); }),
              "16: the shape needs 12 bytes of data and there are 16");
    EXPECT_EQ(read_error([&] { read(Element::int8, {1ull << 32, 1ull << 32}); }),
              "0: the shape's product exceeds 64 bits");
}

TEST(Npy, ReadsBfloat16Bits) {
    const std::string file = npy("<u2", "(2,)", raw<std::uint16_t>({0x3f80, 0xc049}));
    const Array array = read_npy(as_bytes(file), true);
    EXPECT_EQ(array.format(), Format::bfloat16);
    EXPECT_EQ(array.values(), (Values{1, -3.140625}));
    const std::string floats = npy_floats("(1,)", {1});
    EXPECT_EQ(read_error([&] { read_npy(as_bytes(floats), true); }),
              "10: dtype '<f4' is not <u2, which holds bfloat16 bits");
}

// np.save does not keep the name of a dtype that NumPy lacks; those of ml_dtypes have two bytes.
TEST(Npy, ReadsMlDtypesBfloat16AsNumpySavesIt) {
    const std::string file = npy("|V2", "(2,)", raw<std::uint16_t>({0x3f80, 0xc049}));
    const Array array = read_npy(as_bytes(file));
    EXPECT_EQ(array.format(), Format::bfloat16);
    EXPECT_EQ(array.values(), (Values{1, -3.140625}));
}

const std::string four = raw<float>({1});
constexpr const char* no_dict = "the header is not {'descr': …, 'fortran_order': …, 'shape': (…)}";

// clang-format off
const Refused refused[] = {
    Refused{"empty", "", "0: is not an .npy: it does not start with \\x93NUMPY"},
    Refused{"zip", "PK\x03\x04", "0: is not an .npy: it does not start with \\x93NUMPY"},
    Refused{"big_boolean", npy(">b1", "(4,)", four), "10: dtype '>b1' is not one of <f2, <f4, <f8, <c8, <c16, or integers of 8 to 64 bits"},
    Refused{"big_short_data", npy(">f4", "(2,)", four + "xyz"), "135: the shape needs 8 bytes of data and there are 7"},
    Refused{"big_beyond_2_53", npy(">i8", "(1,)", raw<std::uint64_t>({0x7f})), "128: value 0 is an integer beyond 2^53"},
    Refused{"object", npy("|O", "(1,)", four), "10: dtype '|O' is an object array, a pickle; save numbers"},
    Refused{"float8", npy("|V1", "(4,)", four), "10: dtype '|V1' is 8 bits, as float8 has, and not read; save <f4 before it is quantised"},
    Refused{"half_a_complex", npy("<c8", "(1,)", four), "132: the shape needs 8 bytes of data and there are 4"},
    Refused{"text", npy("<U1", "(1,)", four), "10: dtype '<U1' is not one of <f2, <f4, <f8, <c8, <c16, or integers of 8 to 64 bits"},
    Refused{"short_data", npy("<f4", "(2,)", four), "132: the shape needs 8 bytes of data and there are 4"},
    Refused{"long_data", npy("<f4", "(1,)", four + "x"), "133: the shape needs 4 bytes of data and there are 5"},
    Refused{"huge_shape", npy("<f4", "(4611686018427387904,)", four), "132: the shape needs more than 2^64 bytes of data and there are 4"},
    Refused{"product_overflow", npy("<f4", "(4294967296, 4294967296, 4)", four), "10: the shape's product exceeds 64 bits"},
    Refused{"bytes_wrap_to_four", npy("<f8", "(2305843009213693953,)", four), "132: the shape needs more than 2^64 bytes of data and there are 4"},
    Refused{"claims_exabytes", npy("<f4", "(1152921504606846976,)", four), "132: the shape needs 4611686018427387904 bytes of data and there are 4"},
    Refused{"negative_shape", npy("<f4", "(-1,)", four), std::string("10: ") + no_dict},
    Refused{"beyond_64_bits", npy("<f4", "(18446744073709551616,)", four), std::string("10: ") + no_dict},
    Refused{"float_shape", npy("<f4", "(1.0,)", four), std::string("10: ") + no_dict},
    Refused{"list", npy("<f4", "[1]", four), std::string("10: ") + no_dict},
    Refused{"bare_order", npy("<f4", "(1,)", four, "0"), std::string("10: ") + no_dict},
    Refused{"beyond_2_53", npy("<i8", "(2,)", raw<std::int64_t>({1, (1LL << 53) + 1})), "136: value 1 is an integer beyond 2^53"},
    Refused{"below_2_53", npy("<i8", "(1,)", raw<std::int64_t>({std::numeric_limits<std::int64_t>::min()})), "128: value 0 is an integer beyond 2^53"},
    Refused{"unsigned_beyond", npy("<u8", "(1,)", raw<std::uint64_t>({~0ull})), "128: value 0 is an integer beyond 2^53"},
    Refused{"version_4", npy("<f4", "(1,)", four, "False", 4), "6: .npy version 4.0 is not 1.0, 2.0 or 3.0"},
    Refused{"header_lies", std::string("\x93NUMPY\x01\x00\xff\xff{}", 12), "12: the header needs 65545 bytes and the data ends after 12"},
    Refused{"header_beyond_limit", std::string("\x93NUMPY\x02\x00\xff\xff\xff\xff{}", 14), "8: the header claims 4294967295 bytes; the limit is 65535"}};
// clang-format on

TEST(RefusedNpy, IsRefusedByName) {
    for (const auto& [name, input, message] : refused) EXPECT_EQ(refusal(input), message) << name;
}

std::string with_header(const std::string& header) {
    return std::string("\x93NUMPY\x01\x00", 8) + little(header.size(), 2) + header;
}

TEST(NpyHeader, TakesItsKeysInAnyOrderAndEachOnce) {
    const std::string descr = "'descr': '<f4'", order = "'fortran_order': False",
                      shape = "'shape': (0,)";
    EXPECT_EQ(refusal(with_header("{" + shape + "," + order + "," + descr + "}")), "");
    EXPECT_EQ(refusal(with_header("{\"shape\":(0,),\"descr\":\"<f4\",\"fortran_order\":False,}\n")),
              "");
    for (const std::string& header :
         {"{" + descr + ", " + order + "}",
          "{" + descr + ", " + descr + ", " + order + ", " + shape + "}",
          "{" + descr + " " + order + ", " + shape + "}",
          "{" + descr + ", " + order + ", " + shape + "} x",
          "{" + descr + ", " + order + ", " + shape + ", 'x': 1}",
          "{" + descr + ", " + order + ", " + shape, std::string("{"), std::string("{}"),
          std::string(), std::string("os.system('x')"),
          "{'descr': [('a', '<f4')], " + order + ", " + shape + "}"})
        EXPECT_NE(refusal(with_header(header)).find(no_dict), std::string::npos) << header;
    std::string many = "(";
    for (int i = 0; i < 33; ++i) many += "1,";
    EXPECT_NE(refusal(npy_floats(many + ")", {1})).find(no_dict), std::string::npos);
}

TEST(Npy, SurvivesTruncationAtEveryByte) {
    for (const int version : {1, 2}) {
        const std::string file = npy("<f4", "(2, 2)", raw<float>({1, 2, 3, 4}), "False", version);
        for (std::size_t length = 0; length < file.size(); ++length)
            EXPECT_NE(refusal(file.substr(0, length)), "") << length;
    }
}

const std::string one = npy_floats("(1,)", {1});
const std::string two = npy_floats("(2,)", {1, 2});

// The error of list_npz or of a member, or empty.
std::string npz_refusal(const std::string& archive) {
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
    EXPECT_EQ(npz_refusal(npz({})), "");
    const std::string commented = npz({{.name = "a.npy", .data = one}});
    std::string comment = commented;
    comment.replace(comment.size() - 2, 2, little(3, 2));
    EXPECT_EQ(npz_refusal(comment + "abc"), "");
    EXPECT_NE(npz_refusal(commented + "abc"), "");
}

TEST(Npz, ReadsBfloat16BitsUnderTheirPlainName) {
    const std::string bits = npy("<u2", "(1,)", raw<std::uint16_t>({0x3fc0}));
    const std::string archive = npz({{.name = "q__bf16bits.npy", .data = bits}});
    const Array array = list_npz(as_bytes(archive)).readers.at("q")();
    EXPECT_EQ(array.format(), Format::bfloat16);
    EXPECT_EQ(array.values(), std::vector<double>{1.5});
}

struct RefusedArchive {
    const char* name;
    std::vector<TestMember> members;
    const char* message;
};

// clang-format off
const RefusedArchive refused_archives[] = {
    RefusedArchive{"not_deflated", {{.name = "a.npy", .data = one, .method = 8}}, "member 'a.npy' does not unpack to the size it claims; the file is damaged"},
    RefusedArchive{"other_method", {{.name = "a.npy", .data = one, .method = 93}}, "member 'a.npy' uses compression method 93; save with np.savez or np.savez_compressed"},
    RefusedArchive{"deflated_crc", {{.name = "a.npy", .data = one, .method = 8, .crc_lie = 1, .packed = deflated(one)}}, "member 'a.npy' has a wrong CRC-32; the file is damaged"},
    RefusedArchive{"unpacks_to_more", {{.name = "a.npy", .data = one, .method = 8, .size_lie = -1, .packed = deflated(one)}}, "member 'a.npy' does not unpack to the size it claims; the file is damaged"},
    RefusedArchive{"unpacks_to_less", {{.name = "a.npy", .data = one, .method = 8, .size_lie = 1, .packed = deflated(one)}}, "member 'a.npy' does not unpack to the size it claims; the file is damaged"},
    RefusedArchive{"stream_and_more", {{.name = "a.npy", .data = one, .method = 8, .packed = deflated(one) + "x"}}, "member 'a.npy' does not unpack to the size it claims; the file is damaged"},
    RefusedArchive{"beyond_deflate", {{.name = "a.npy", .data = one, .method = 8, .size_lie = 1 << 20, .packed = deflated(one)}}, "member 'a.npy' claims 1048708 bytes, more than deflate could unpack"},
    RefusedArchive{"encrypted", {{.name = "a.npy", .data = one, .flags = 1}}, "member 'a.npy' is encrypted"},
    RefusedArchive{"duplicate", {{.name = "a.npy", .data = one}, {.name = "a.npy", .data = two}}, "member 'a.npy' appears twice"},
    RefusedArchive{"duplicate_stem", {{.name = "a.npy", .data = one}, {.name = "a", .data = two}}, "member 'a' appears twice"},
    RefusedArchive{"crc", {{.name = "a.npy", .data = one, .crc_lie = 1}}, "member 'a.npy' has a wrong CRC-32; the file is damaged"},
    RefusedArchive{"size_too_large", {{.name = "a.npy", .data = one, .size_lie = 1}}, "member 'a.npy' claims 133 bytes, more than there are"},
    RefusedArchive{"size_too_small", {{.name = "a.npy", .data = one, .size_lie = -4, .zip64_local = false}}, "member 'a.npy' differs between its local header and the directory"},
    RefusedArchive{"size_too_small_zip64", {{.name = "a.npy", .data = one, .size_lie = -4}}, "member 'a.npy' has a wrong CRC-32; the file is damaged"},
    RefusedArchive{"size_beyond_file", {{.name = "a.npy", .data = one, .size_lie = 1'000'000}}, "member 'a.npy' claims 1000132 bytes, more than there are"},
    RefusedArchive{"zip64", {{.name = "a.npy", .data = one, .size_lie = 0xffffffff - 132}}, "member 'a.npy' is in zip64 format, which is not read"},
    RefusedArchive{"no_local_header", {{.name = "a.npy", .data = one, .offset_lie = 1}}, "member 'a.npy' has no local header"},
    RefusedArchive{"offset_beyond_file", {{.name = "a.npy", .data = one, .offset_lie = 0x7fffffff}}, "member 'a.npy' has no local header"},
    RefusedArchive{"other_local_name", {{.name = "a.npy", .data = one, .local_name = "b.npy"}}, "member 'a.npy' differs between its local header and the directory"}};
// clang-format on

TEST(RefusedNpz, IsRefusedByName) {
    for (const auto& [name, input, message] : refused_archives)
        EXPECT_EQ(npz_refusal(npz(input)), message) << name;
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
    const auto refusal_at = [&](const MemoryLimit& limit) {
        const std::string archive = npz(members);
        const auto bytes = std::as_bytes(std::span(archive));
        return error_message<InputError>(
            [&] { tensor_file_of("x.npz", {FileBytes(bytes), 0}, limit); });
    };
    EXPECT_EQ(refusal_at({.bytes = std::uint64_t{3} << 30}),
              "x.npz: needs 3.1 GiB of memory; the limit is 3 GiB");
    EXPECT_EQ(refusal_at({.used = std::uint64_t{2} << 30, .name = "--max-memory"}),
              "x.npz: needs 3.1 GiB of memory in addition to 2 GiB of other files; --max-memory is "
              "4 GiB");
}

TEST(Npz, RefusesMembersThatShareBytes) {
    // the second entry has the offset of the first one's local header
    std::string archive = npz({{.name = "a.npy", .data = one}, {.name = "a.npy", .data = one}});
    const std::size_t second = archive.rfind("PK\x01\x02");
    archive.replace(second + 42, 4, little(0, 4));
    EXPECT_EQ(npz_refusal(archive), "member 'a.npy' overlaps member 'a.npy'");
}

TEST(Npz, RefusesADirectoryThatDoesNotAddUp) {
    const std::string archive = npz({{.name = "a.npy", .data = one}});
    const std::size_t end = archive.rfind("PK\x05\x06");
    const auto with = [&](std::size_t at, std::uint64_t value, int bytes) {
        std::string broken = archive;
        broken.replace(end + at, static_cast<std::size_t>(bytes), little(value, bytes));
        return npz_refusal(broken);
    };
    EXPECT_EQ(with(4, 1, 2), "its zip directory does not end where its header says");  // disk 1
    EXPECT_EQ(with(8, 2, 2),
              "its zip directory does not end where its header says");  // entries here
    EXPECT_EQ(with(12, 3, 4), "its zip directory does not end where its header says");  // size
    EXPECT_EQ(with(16, 0xffffffff, 4), "is a zip64 archive, which is not read");
    std::string more = archive;
    more.replace(end + 8, 4, little(2, 2) + little(2, 2));
    EXPECT_EQ(npz_refusal(more), "the zip directory has no entry here");
    std::string fewer = archive;
    fewer.replace(end + 8, 4, little(0, 2) + little(0, 2));
    EXPECT_EQ(npz_refusal(fewer), "the zip directory has more than its entries");
}

TEST(Npz, SurvivesTruncationAtEveryByte) {
    const std::string archive = npz({{.name = "a.npy", .data = one}, compressed("b.npy", two)});
    for (std::size_t length = 0; length < archive.size(); ++length)
        EXPECT_NE(npz_refusal(archive.substr(0, length)), "") << length;
}

}  // namespace rope::io::npy_test
