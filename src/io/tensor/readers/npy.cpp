#include "io/tensor/readers/npy.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/tensor/readers/npy_header.hpp"
#include "io/tensor/readers/typed_array.hpp"

namespace rope::io {
namespace {

struct Dtype {
    std::string_view descr;
    Element element;
    bool is_complex = false;
};

constexpr std::array kinds{
    Dtype{"<f4", Element::float32}, Dtype{"<f2", Element::float16},
    Dtype{"<f8", Element::float64}, Dtype{"<c8", Element::float32, true},
    Dtype{"|i1", Element::int8},    Dtype{"<c16", Element::float64, true},
    Dtype{"<i2", Element::int16},   Dtype{"<i4", Element::int32},
    Dtype{"<i8", Element::int64},   Dtype{"|u1", Element::uint8},
    Dtype{"<u2", Element::uint16},  Dtype{"<u4", Element::uint32},
    Dtype{"<u8", Element::uint64},
};

std::string refusal(const std::string& descr) {
    const std::string name = "dtype '" + descr + "' ";
    if (descr.starts_with('>'))
        return name + "is big-endian; save it as '<" + descr.substr(1) + "'";
    if (descr == "|O") return name + "is an object array, a pickle; save numbers";
    return name + "is not one of <f2, <f4, <f8, <c8, <c16, or integers of 8 to 64 bits";
}

ReadResult<Array> array_after(std::span<const std::byte> bytes, const NpyHeader& header,
                              const Dtype& kind) {
    std::vector<std::uint64_t> shape = header.shape;
    if (kind.is_complex) shape.push_back(2);  // real and imaginary part
    return typed_array(bytes, {header.data_offset, bytes.size(), 10}, std::move(shape),
                       kind.element);
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
    for (const Dtype& kind : kinds)
        if (kind.descr == header.descr) return array_after(bytes, header, kind);
    return ReadError{10, refusal(header.descr)};
}

ReadResult<Array> read_npy_bfloat16_bits(std::span<const std::byte> bytes) {
    const auto result = c_order_header(bytes);
    if (const auto* error = std::get_if<ReadError>(&result)) return *error;
    const auto& header = std::get<NpyHeader>(result);
    if (header.descr == "<u2") return array_after(bytes, header, {header.descr, Element::bfloat16});
    return ReadError{10, "dtype '" + header.descr + "' is not <u2, which holds bfloat16 bits"};
}

}  // namespace rope::io
