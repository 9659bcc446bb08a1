#include "io/tensor/readers/npy.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/tensor/readers/npy_header.hpp"
#include "io/tensor/readers/npy_order.hpp"
#include "io/tensor/readers/typed_array.hpp"

namespace rope::io {
namespace {

struct NpyType {
    std::string_view descr;
    Element element;
    bool is_complex = false;
};

constexpr std::array npy_types{
    NpyType{"<f4", Element::float32},
    NpyType{"<f2", Element::float16},
    NpyType{"<f8", Element::float64},
    NpyType{"<c8", Element::float32, true},
    NpyType{"|i1", Element::int8},
    NpyType{"<c16", Element::float64, true},
    NpyType{"<i2", Element::int16},
    NpyType{"<i4", Element::int32},
    NpyType{"<i8", Element::int64},
    NpyType{"|u1", Element::uint8},
    NpyType{"<u2", Element::uint16},
    NpyType{"<u4", Element::uint32},
    NpyType{"<u8", Element::uint64},
    NpyType{"|V2", Element::bfloat16},  // as NumPy saves ml_dtypes'
};

std::string refusal(const std::string& descr) {
    const std::string name = "dtype '" + descr + "' ";
    if (descr == "|O") return name + "is an object array, a pickle; save numbers";
    if (descr.ends_with("V1") || descr.ends_with("f1"))  // as NumPy saves ml_dtypes'
        return name + "is 8 bits, as float8 has, and not read; save <f4 before it is quantised";
    return name + "is not one of <f2, <f4, <f8, <c8, <c16, or integers of 8 to 64 bits";
}

bool is_big_endian(const NpyHeader& header) { return header.descr.starts_with('>'); }

// "<f4" for ">f4"
std::string little_endian_descr(const NpyHeader& header) {
    return is_big_endian(header) ? "<" + header.descr.substr(1) : header.descr;
}

ReadResult<Array> array_after(std::span<const std::byte> bytes, const NpyHeader& header,
                              const NpyType& kind) {
    std::vector<std::uint64_t> shape = header.shape;
    if (kind.is_complex) shape.push_back(2);  // real and imaginary part
    std::shared_ptr<const std::vector<std::byte>> copy;
    if (is_big_endian(header)) {
        copy = std::make_shared<const std::vector<std::byte>>(
            reversed_numbers(bytes, header.data_offset, bytes_of(kind.element)));
        bytes = *copy;
    }
    auto result =
        typed_array(bytes, {header.data_offset, bytes.size(), 10}, std::move(shape), kind.element);
    auto* array = std::get_if<Array>(&result);
    if (array == nullptr) return result;
    array->owner = std::move(copy);
    if (header.fortran_order && header.shape.size() > 1)
        return from_fortran_order(*array, kind.is_complex);
    return result;
}

}  // namespace

ReadResult<Array> read_npy(std::span<const std::byte> bytes) {
    const auto result = read_npy_header(bytes);
    if (const auto* error = std::get_if<ReadError>(&result)) return *error;
    const auto& header = std::get<NpyHeader>(result);
    const std::string descr = little_endian_descr(header);
    for (const NpyType& kind : npy_types)
        if (kind.descr == descr) return array_after(bytes, header, kind);
    return ReadError{10, refusal(header.descr)};
}

ReadResult<Array> read_npy_bfloat16_bits(std::span<const std::byte> bytes) {
    const auto result = read_npy_header(bytes);
    if (const auto* error = std::get_if<ReadError>(&result)) return *error;
    const auto& header = std::get<NpyHeader>(result);
    if (little_endian_descr(header) == "<u2")
        return array_after(bytes, header, {header.descr, Element::bfloat16});
    return ReadError{10, "dtype '" + header.descr + "' is not <u2, which holds bfloat16 bits"};
}

}  // namespace rope::io
