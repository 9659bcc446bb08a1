#include "io/readers/npy.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

#include "io/checked.hpp"
#include "io/readers/npy_header.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

struct Kind {
    std::string_view descr;
    Element element;
};

constexpr std::array kinds{
    Kind{"<f4", Element::float32}, Kind{"<f2", Element::float16}, Kind{"<f8", Element::float64},
    Kind{"|i1", Element::int8},    Kind{"<i2", Element::int16},   Kind{"<i4", Element::int32},
    Kind{"<i8", Element::int64},   Kind{"|u1", Element::uint8},   Kind{"<u2", Element::uint16},
    Kind{"<u4", Element::uint32},  Kind{"<u8", Element::uint64},
};

std::string refusal(const std::string& descr) {
    const std::string name = "dtype '" + descr + "' ";
    if (descr.starts_with('>'))
        return name + "is big-endian; save it as '<" + descr.substr(1) + "'";
    if (descr == "|O") return name + "is an object array, a pickle; save numbers";
    return name + "is none of <f2, <f4, <f8, or integers of 8 to 64 bits";
}

ReadResult<Array> typed_array(std::span<const std::byte> bytes, const NpyHeader& header,
                              Element element) {
    std::uint64_t count = 1;
    for (const std::uint64_t length : header.shape) {
        const auto product = checked_mul(count, length);
        if (!product) return ReadError{10, "the shape's product exceeds 64 bits"};
        count = *product;
    }
    const std::uint64_t present = bytes.size() - header.data_offset;
    const auto needed = checked_mul(count, bytes_of(element));
    if (!needed || *needed != present)
        return ReadError{bytes.size(), "the shape needs " +
                                           (needed ? decimal(*needed) : "more than 2^64") +
                                           " bytes of data and there are " + decimal(present)};
    if (count > max_array_values)
        return ReadError{
            10, "has " + decimal(count) + " values; the limit is " + decimal(max_array_values)};
    Array array{header.shape, element, bytes.subspan(header.data_offset)};
    if (array.format()) return array;
    for (std::uint64_t i = 0; i < count; ++i)
        if (std::isnan(array.at(i)))
            return ReadError{header.data_offset + i * bytes_of(element),
                             "value " + decimal(i) + " is an integer beyond 2^53"};
    return array;
}

ReadResult<NpyHeader> c_order_header(std::span<const std::byte> bytes) {
    auto result = read_npy_header(bytes);
    const auto* header = std::get_if<NpyHeader>(&result);
    if (header != nullptr && header->fortran_order)
        return ReadError{10, "is in Fortran order; save numpy.ascontiguousarray(x)"};
    return result;
}

}  // namespace

ReadResult<Array> read_npy(std::span<const std::byte> bytes) {
    const auto result = c_order_header(bytes);
    if (const auto* error = std::get_if<ReadError>(&result)) return *error;
    const auto& header = std::get<NpyHeader>(result);
    for (const Kind& kind : kinds)
        if (kind.descr == header.descr) return typed_array(bytes, header, kind.element);
    return ReadError{10, refusal(header.descr)};
}

ReadResult<Array> read_npy_bfloat16_bits(std::span<const std::byte> bytes) {
    const auto result = c_order_header(bytes);
    if (const auto* error = std::get_if<ReadError>(&result)) return *error;
    const auto& header = std::get<NpyHeader>(result);
    if (header.descr == "<u2") return typed_array(bytes, header, Element::bfloat16);
    return ReadError{10, "dtype '" + header.descr + "' is not <u2, which holds bfloat16 bits"};
}

}  // namespace rope::io
