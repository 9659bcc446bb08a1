#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "io/tensor/readers/readers.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/gguf_bytes.hpp"

namespace rope::io {
namespace gguf_test {

Gguf listed(const std::string& file) { return list_gguf(as_bytes(file), file.size()); }

// The error "offset: text" of the list or of a float tensor, or empty.
std::string refusal(const std::string& file) {
    return read_error([&] {
        for (const auto& [name, tensor] : listed(file).tensors)
            read_gguf_tensor(as_bytes(file), name, tensor);
    });
}

TestGguf small() {
    TestGguf file;
    file.text("general.architecture", "llama").u32("llama.rope.dimension_count", 4);
    file.f32("llama.rope.freq_base", 5e5f).i32s("llama.rope.dimension_sections", {1, -1});
    file.add("flag", 7, little(1, 1)).add("wide", 12, raw<double>({0.1}));
    file.add("tokens", 9, little(8, 4) + little(2, 8) + gguf_text("a") + gguf_text("b"));
    file.floats("rope_freqs.weight", {1, 8});
    file.tensors.push_back({"half", {2, 1, 3}, 30, raw<std::uint16_t>({0x3f80, 1, 2, 3, 4, 5})});
    return file;
}

TEST(Gguf, ReadsMetadataAndTensorsOfBothVersions) {
    for (const std::uint64_t version : {2u, 3u}) {
        TestGguf made = small();
        made.version = version;
        const std::string bytes = made.bytes();
        const Gguf file = listed(bytes);
        EXPECT_EQ(std::get<std::string_view>(file.metadata.at("general.architecture")), "llama");
        EXPECT_EQ(std::get<std::uint64_t>(file.metadata.at("llama.rope.dimension_count")), 4u);
        EXPECT_EQ(std::get<float>(file.metadata.at("llama.rope.freq_base")), 5e5f);
        EXPECT_EQ(std::get<std::vector<double>>(file.metadata.at("llama.rope.dimension_sections")),
                  (std::vector<double>{1, -1}));
        EXPECT_EQ(std::get<double>(file.metadata.at("wide")), 0.1);
        EXPECT_TRUE(std::get<bool>(file.metadata.at("flag")));
        EXPECT_TRUE(std::holds_alternative<GgufSkipped>(file.metadata.at("tokens")));

        const auto freqs = read_gguf_tensor(as_bytes(bytes), "rope_freqs.weight",
                                            file.tensors.at("rope_freqs.weight"));
        EXPECT_EQ(freqs.values(), (std::vector<double>{1, 8}));
        const auto half = read_gguf_tensor(as_bytes(bytes), "half", file.tensors.at("half"));
        EXPECT_EQ(half.shape, (std::vector<std::uint64_t>{3, 1, 2}));
        EXPECT_EQ(half.format(), Format::bfloat16);
        EXPECT_EQ(half.at(0), 1);
    }
}

TEST(Gguf, ReadsAnArrayOfEachTypeThatEndsTheFile) {
    const std::uint64_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
    for (std::uint64_t type = 0; type < std::size(bytes); ++type) {
        if (bytes[type] == 0) continue;  // texts and arrays
        TestGguf made;
        made.add("last", 9, little(type, 4) + little(9, 8) + std::string(9 * bytes[type], '\0'));
        EXPECT_EQ(refusal(made.bytes()), "") << type;
        const std::string cut = made.bytes().substr(0, made.bytes().size() - 1);
        EXPECT_NE(refusal(cut), "") << type;
    }
}

TEST(Gguf, AlignsItsDataAsItsHeaderStates) {
    TestGguf made = small();
    made.alignment = 64;
    made.u32("general.alignment", 64);
    EXPECT_EQ(refusal(made.bytes()), "");
    EXPECT_EQ(refusal(TestGguf{}.bytes()), "");
}

TEST(Gguf, ReadsTheHeadOfALargerFile) {
    TestGguf made = small();
    const std::string whole = made.bytes();
    const std::string head = whole.substr(0, whole.size() - 32);  // without the second tensor
    const Gguf file = list_gguf(as_bytes(head), whole.size());
    const auto read = [&](const char* name) {
        return read_gguf_tensor(as_bytes(head), name, file.tensors.at(name));
    };
    EXPECT_EQ(read("rope_freqs.weight").size(), 2u);
    EXPECT_EQ(read_error([&] { read("half"); }).substr(5), "tensor 'half' lies beyond the first " +
                                                               std::to_string(head.size()) +
                                                               " bytes, and only those are read");
    const std::string cut = whole.substr(0, 40);
    EXPECT_EQ(
        read_error([&] { list_gguf(as_bytes(cut), whole.size()); }),
        "32: 20 bytes are needed here and the 40 bytes that are read of the file have 8 more");
}

// Two F32 tensors: 'a' with so many values at 0, 'b' with 8 at an offset.
std::string two_tensors(std::uint64_t values, std::uint64_t offset) {
    TestGguf made;
    made.tensors = {{"a", {values}}, {"b", {8}}};
    std::string file = made.header();
    file += gguf_text("a") + little(1, 4) + little(values, 8) + little(0, 4) + little(0, 8);
    file += gguf_text("b") + little(1, 4) + little(8, 8) + little(0, 4) + little(offset, 8);
    return made.padded(file) + std::string(96, '\0');
}

TEST(Gguf, TensorsMayTouchAndLeaveGaps) {
    EXPECT_EQ(refusal(two_tensors(8, 32)), "");
    EXPECT_EQ(refusal(two_tensors(8, 64)), "");
}

std::string with(std::size_t at, std::uint64_t value, int bytes) {
    std::string file = small().bytes();
    return file.replace(at, static_cast<std::size_t>(bytes), little(value, bytes));
}

std::string with_key(const std::string& key, std::uint64_t type, const std::string& value) {
    return TestGguf{}.add(key, type, value).bytes();
}

// A tensor whose header contradicts its data.
std::string with_tensor(std::vector<std::uint64_t> dimensions, std::uint64_t type,
                        std::uint64_t offset) {
    TestGguf made;
    made.tensors = {{"t", std::move(dimensions), type}};
    std::string file =
        made.header() + gguf_text("t") + little(made.tensors[0].dimensions.size(), 4);
    for (const std::uint64_t length : made.tensors[0].dimensions) file += little(length, 8);
    return made.padded(file + little(type, 4) + little(offset, 8)) + std::string(64, '\0');
}

constexpr std::uint64_t huge = ~std::uint64_t{0};

// clang-format off
const Refused refused[] = {
    Refused{"empty", "", "0: 4 bytes are needed here and the file has 0 more"},
    Refused{"magic", "GGML" + std::string(20, '\0'), "0: is not a GGUF: it does not start with GGUF"},
    Refused{"version_1", with(4, 1, 4), "4: GGUF version 1 is not 2 or 3"},
    Refused{"big_endian", with(4, 0x03000000, 4), "4: is a big-endian GGUF, which is not read; convert it to little endian"},
    // CVE-2024-21836
    Refused{"n_tensors", with(8, huge, 8), "8: claims 18446744073709551615 tensors; the limit is 100000, and " + std::to_string(small().bytes().size() - 16) + " bytes remain"},
    // CVE-2024-23605
    Refused{"n_kv", with(16, huge, 8), "16: claims 18446744073709551615 metadata keys; the limit is 10000, and " + std::to_string(small().bytes().size() - 24) + " bytes remain"},
    // CVE-2024-23496: length + 1 wraps
    Refused{"key_length", with(24, huge, 8), "24: a key claims 18446744073709551615 bytes; the limit is 65535"},
    Refused{"text_length", with_key("k", 8, little(huge, 8)), "45: 18446744073709551615 bytes are needed here and the file has 0 more"},
    // CVE-2024-21825: n * size wraps
    Refused{"array_wraps", with_key("k", 9, little(10, 4) + little(std::uint64_t{1} << 61, 8)), "37: metadata key 'k' claims 2305843009213693952 values and 0 bytes remain"},
    Refused{"array_of_2_63", with_key("k", 9, little(0, 4) + little(std::uint64_t{1} << 63, 8)), "37: metadata key 'k' claims 9223372036854775808 values and 0 bytes remain"},
    Refused{"strings_of_2_63", with_key("k", 9, little(8, 4) + little(std::uint64_t{1} << 63, 8)), "37: metadata key 'k' claims 9223372036854775808 values and 0 bytes remain"},
    Refused{"nested_array", with_key("k", 9, little(9, 4) + little(1, 8)), "37: metadata key 'k' is an array of arrays, which is not read"},
    Refused{"array_type", with_key("k", 9, little(13, 4) + little(1, 8)), "37: metadata key 'k' is an array of type 13, which is not read"},
    Refused{"value_type", with_key("k", 13, little(1, 8)), "37: metadata key 'k' has a value of type 13, which is not known"},
    Refused{"bool_of_2", with_key("k", 7, little(2, 1)), "37: metadata key 'k' is a bool of 2; it must be 0 or 1"},
    Refused{"empty_key", with_key("", 4, little(1, 4)), "24: a metadata key is empty"},
    Refused{"key_twice", TestGguf{}.u32("k", 1).u32("k", 1).bytes(), "41: metadata key 'k' is given twice"},
    Refused{"alignment_0", with_key("general.alignment", 4, little(0, 4)), "57: general.alignment is 0; it must be a power of two up to 1048576"},
    Refused{"alignment_24", with_key("general.alignment", 4, little(24, 4)), "57: general.alignment is 24; it must be a power of two up to 1048576"},
    Refused{"alignment_2_31", with_key("general.alignment", 4, little(1u << 31, 4)), "57: general.alignment is 2147483648; it must be a power of two up to 1048576"},
    Refused{"alignment_uint64", with_key("general.alignment", 10, little(32, 8)), "49: general.alignment is not stored as a uint32"},
    Refused{"alignment_int32", with_key("general.alignment", 5, little(32, 4)), "49: general.alignment is not stored as a uint32"},
    Refused{"alignment_text", with_key("general.alignment", 8, gguf_text("x")), "49: general.alignment is not stored as a uint32"},
    // CVE-2024-21802, CVE-2025-49847: dimensions
    Refused{"dimensions", with_tensor({1, 1, 1, 1, 1}, 0, 0), "24: tensor 't' has 5 dimensions; the limit is 4"},
    // CVE-2026-33298: the product wraps, and so would the bytes
    Refused{"product_wraps", with_tensor({std::uint64_t{1} << 32, std::uint64_t{1} << 32, 4}, 0, 0), "24: tensor 't' has a shape that does not make whole blocks of F32 in 64 bits"},
    Refused{"bytes_wrap", with_tensor({(std::uint64_t{1} << 62) + 1}, 0, 0), "24: tensor 't' has a shape that does not make whole blocks of F32 in 64 bits"},
    Refused{"cut_block", with_tensor({33}, 2, 0), "24: tensor 't' has a shape that does not make whole blocks of Q4_0 in 64 bits"},
    // CVE-2025-53630, CVE-2026-27940: offset + size wraps, padding too
    Refused{"end_wraps", with_tensor({8}, 0, huge - 31), "24: tensor 't' ends beyond 2^64 bytes"},
    Refused{"place_wraps", with_tensor({0}, 0, huge - 31), "57: tensor 't' ends at byte 2^64 or later and the file has 128"},
    // CVE-2026-7482: offset + size beyond the file
    Refused{"beyond_the_file", with_tensor({1}, 0, 64), "57: tensor 't' ends at byte 132 and the file has 128"},
    Refused{"unaligned", with_tensor({1}, 0, 4), "24: tensor 't' starts at byte 4 of the data, not at a multiple of the alignment 32"},
    Refused{"same_bytes", two_tensors(8, 0), "96: tensors 'a' and 'b' share bytes"},
    Refused{"overlap", two_tensors(9, 32), "128: tensors 'a' and 'b' share bytes"},
    Refused{"quantised", with_tensor({32}, 2, 0), "64: tensor 't' is quantised as Q4_0, which is not read; F32, F16, BF16, F64 and integers are"},
    Refused{"unknown_type", with_tensor({32}, 99, 0), "64: tensor 't' has type 99, which is not known"}};
// clang-format on

TEST(RefusedGguf, IsRefusedByName) {
    for (const auto& [name, input, message] : refused) EXPECT_EQ(refusal(input), message) << name;
}

TEST(Gguf, SurvivesTruncationAtEveryByte) {
    const std::string file = small().bytes();
    const std::size_t last = file.size() - 20;  // the bytes after the last tensor's 12 are padding
    for (std::size_t length = 0; length < last; ++length)
        EXPECT_NE(refusal(file.substr(0, length)), "") << length;
    EXPECT_EQ(refusal(file.substr(0, last)), "");
}

}  // namespace gguf_test
}  // namespace rope::io
