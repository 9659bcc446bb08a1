#include <gtest/gtest.h>

#include <ostream>
#include <string>

#include "io/tensor/readers/readers.hpp"
#include "tests/io/error_message.hpp"
#include "tests/io/file_bytes.hpp"

namespace rope::io {
namespace safetensors_test {

std::string file_of(const std::string& header, const std::string& data = "") {
    return little(header.size(), 8) + header + data;
}

const std::string small_header =
    R"({"__metadata__":{"spec":"{}"},"cos":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]},)"
    R"("n":{"dtype":"I64","shape":[],"data_offsets":[8,16]}})";
const std::string small = file_of(small_header, raw<float>({1, 2}) + raw<std::int64_t>({7}));

// The error "offset: text" of the list or of a tensor, or empty.
std::string refusal(const std::string& file) {
    return read_error([&] {
        for (const auto& [name, entry] : list_safetensors(as_bytes(file)).tensors)
            read_safetensor(as_bytes(file), name, entry);
    });
}

Array only_tensor(const std::string& dtype, const std::string& shape, const std::string& data) {
    const std::string file =
        file_of(R"({"x":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":[0,)" +
                    std::to_string(data.size()) + "]}}  ",  // spaces are valid padding
                data);
    Array copy =
        read_safetensor(as_bytes(file), "x", list_safetensors(as_bytes(file)).tensors.at("x"));
    const auto own = std::make_shared<std::vector<std::byte>>(copy.bytes.begin(), copy.bytes.end());
    copy.bytes = *own;
    copy.owner = own;
    return copy;
}

TEST(Safetensors, ReadsTensorsAndMetadata) {
    const Safetensors file = list_safetensors(as_bytes(small));
    EXPECT_EQ(file.metadata.at("spec"), "{}");
    EXPECT_EQ(file.tensors.size(), 2u);
    const auto cos = read_safetensor(as_bytes(small), "cos", file.tensors.at("cos"));
    EXPECT_EQ(cos.shape, (std::vector<std::uint64_t>{2, 1}));
    EXPECT_EQ(cos.values(), (std::vector<double>{1, 2}));
    EXPECT_EQ(refusal(file_of("{}")), "");
}

TEST(Safetensors, ReadsEveryDtypeOfNumbers) {
    using Values = std::vector<double>;
    EXPECT_EQ(only_tensor("F64", "[1]", raw<double>({0.1})).values(), Values{0.1});
    EXPECT_EQ(only_tensor("F16", "[1]", raw<std::uint16_t>({0x3c00})).values(), Values{1});
    EXPECT_EQ(only_tensor("BF16", "[1]", raw<std::uint16_t>({0x3fc0})).format(), Format::bfloat16);
    EXPECT_EQ(only_tensor("I32", "[1]", raw<std::int32_t>({-3})).values(), Values{-3});
    EXPECT_EQ(only_tensor("I16", "[1]", raw<std::int16_t>({-3})).values(), Values{-3});
    EXPECT_EQ(only_tensor("I8", "[1]", raw<std::int8_t>({-3})).values(), Values{-3});
    EXPECT_EQ(only_tensor("U64", "[1]", raw<std::uint64_t>({3})).values(), Values{3});
    EXPECT_EQ(only_tensor("U32", "[1]", raw<std::uint32_t>({3})).values(), Values{3});
    EXPECT_EQ(only_tensor("U16", "[1]", raw<std::uint16_t>({3})).values(), Values{3});
    EXPECT_EQ(only_tensor("U8", "[1]", raw<std::uint8_t>({3})).values(), Values{3});
    const Array complex = only_tensor("C64", "[1]", raw<float>({1, 2}));
    EXPECT_EQ(complex.shape, (std::vector<std::uint64_t>{1, 2}));
    EXPECT_EQ(complex.values(), (Values{1, 2}));
}

std::string one(const std::string& dtype, const std::string& shape, const std::string& offsets,
                std::size_t bytes) {
    return file_of(R"({"x":{"dtype":")" + dtype + R"(","shape":)" + shape + R"(,"data_offsets":)" +
                       offsets + "}}",
                   std::string(bytes, '\0'));
}

std::string two(const std::string& first, const std::string& second, std::size_t bytes) {
    return file_of(R"({"a":{"dtype":"U8","shape":[2],"data_offsets":)" + first +
                       R"(},"b":{"dtype":"U8","shape":[2],"data_offsets":)" + second + "}}",
                   std::string(bytes, '\0'));
}

// clang-format off
const Refused refused[] = {
    Refused{"empty", "", "0: is not a .safetensors: it ends within the header's length"},
    Refused{"header_claims_all", little(~0ull, 8) + "{}", "0: the header claims 18446744073709551615 bytes; the limit is 16777216"},
    Refused{"header_too_long", little(3, 8) + "{}", "10: the header needs 3 bytes and there are 2"},
    Refused{"no_object", file_of("[]"), "8: is not a .safetensors: its header does not start with '{'"},
    Refused{"blank_first", file_of(" {}"), "8: is not a .safetensors: its header does not start with '{'"},
    Refused{"name_twice", file_of(R"({"x":1,"x":2})"), "8: the header: key 'x' is given twice"},
    Refused{"entry_is_number", file_of(R"({"x":1})"), "8: tensor 'x' is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}"},
    Refused{"negative_shape", one("U8", "[-1]", "[0,0]", 0), "8: tensor 'x' is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}"},
    Refused{"fractional_offset", one("U8", "[1]", "[0,1.0]", 1), "8: tensor 'x' is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}"},
    Refused{"three_offsets", one("U8", "[1]", "[0,1,2]", 1), "8: tensor 'x' is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}"},
    Refused{"beyond_the_file", one("U8", "[2]", "[0,2]", 1), "8: tensor 'x' lies at bytes 0 to 2 of the data, which have 1"},
    Refused{"end_before_begin", one("U8", "[2]", "[2,0]", 2), "8: tensor 'x' lies at bytes 2 to 0 of the data, which have 2"},
    Refused{"too_few_bytes", one("F32", "[2]", "[0,4]", 4), "8: tensor 'x' needs 8 bytes by its shape and has 4"},
    Refused{"product_wraps", one("F32", "[4294967296,4294967296]", "[0,0]", 0), "8: tensor 'x' needs more than 2^64 bytes by its shape and has 0"},
    Refused{"hole", two("[0,2]", "[3,5]", 5), "115: bytes that belong to no tensor"},
    Refused{"overlap", two("[0,2]", "[1,3]", 3), "114: two tensors share bytes"},
    Refused{"same_bytes", two("[0,2]", "[0,2]", 2), "113: two tensors share bytes"},
    Refused{"tail", two("[0,2]", "[2,4]", 5), "117: bytes that belong to no tensor"},
    Refused{"metadata_list", file_of(R"({"__metadata__":[]})"), "8: __metadata__ is not an object"},
    Refused{"metadata_number", file_of(R"({"__metadata__":{"a":1}})"), "8: __metadata__ 'a' is not a string"},
    Refused{"beyond_2_53", file_of(R"({"x":{"dtype":"U64","shape":[1],"data_offsets":[0,8]}})", std::string(8, '\xff')), "62: value 0 is an integer beyond 2^53"},
    Refused{"float8", one("F8_E4M3", "[2]", "[0,2]", 2), "66: tensor 'x' has dtype F8_E4M3, which is not read; save it as F32 before it is quantised to 8 bits"},
    Refused{"newer_dtype", one("F4", "[2]", "[0,1]", 1), "61: tensor 'x' has dtype F4, which is not read; save it as F32"}};
// clang-format on

TEST(RefusedSafetensors, IsRefusedByName) {
    for (const auto& [name, input, message] : refused) EXPECT_EQ(refusal(input), message) << name;
}

TEST(Safetensors, RefusesAnUnreadableTensorOnlyWhenItIsRequested) {
    const std::string file = file_of(R"({"a":{"dtype":"F8_E4M3","shape":[1],"data_offsets":[0,1]},)"
                                     R"("b":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                                     "\x01\x02");
    const Safetensors listed = list_safetensors(as_bytes(file));
    EXPECT_EQ(read_safetensor(as_bytes(file), "b", listed.tensors.at("b")).at(0), 2);
    EXPECT_THROW(read_safetensor(as_bytes(file), "a", listed.tensors.at("a")), ReadError);
}

TEST(Safetensors, SurvivesTruncationAtEveryByte) {
    for (std::size_t length = 0; length < small.size(); ++length)
        EXPECT_NE(refusal(small.substr(0, length)), "") << length;
}

}  // namespace safetensors_test
}  // namespace rope::io
