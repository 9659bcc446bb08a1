#include "io/readers/npy.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "io/checked.hpp"
#include "io/readers/little_endian.hpp"
#include "io/readers/npy_header.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

// What a double cannot hold exactly becomes NaN, which no integer dtype has.
constexpr double too_large = std::numeric_limits<double>::quiet_NaN();
constexpr std::uint64_t largest_exact = std::uint64_t{1} << 53;

double from_float16(std::uint64_t bits) {
    const double sign = bits >> 15 & 1 ? -1 : 1;
    const int exponent = static_cast<int>(bits >> 10 & 31);
    const auto fraction = static_cast<double>(bits & 1023);
    if (exponent == 31)
        return fraction == 0 ? sign * std::numeric_limits<double>::infinity()
                             : std::numeric_limits<double>::quiet_NaN();
    return exponent == 0 ? sign * std::ldexp(fraction, -24)
                         : sign * std::ldexp(1024 + fraction, exponent - 25);
}
double from_float32(std::uint64_t bits) {
    return double{std::bit_cast<float>(static_cast<std::uint32_t>(bits))};
}
double from_float64(std::uint64_t bits) { return std::bit_cast<double>(bits); }
double from_bfloat16(std::uint64_t bits) { return from_float32(bits << 16); }
double from_unsigned(std::uint64_t bits) {
    return bits > largest_exact ? too_large : static_cast<double>(bits);
}
template <std::size_t Bytes>
double from_signed(std::uint64_t bits) {
    constexpr int unused = 64 - 8 * static_cast<int>(Bytes);
    const auto value = static_cast<std::int64_t>(bits << unused) >> unused;
    const std::uint64_t size =
        value < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(value) : std::uint64_t(value);
    return size > largest_exact ? too_large : static_cast<double>(value);
}

struct Kind {
    std::string_view descr;
    std::size_t bytes;
    std::optional<Format> format;
    void (*decode)(std::span<const std::byte> data, std::vector<double>& values);
};

template <std::size_t Bytes, double (*Convert)(std::uint64_t)>
void decode(std::span<const std::byte> data, std::vector<double>& values) {
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = Convert(little_endian<Bytes>(data, i * Bytes));
}

// clang-format off
constexpr std::array kinds{
    Kind{"<f4", 4, Format::float32, decode<4, from_float32>},
    Kind{"<f2", 2, Format::float16, decode<2, from_float16>},
    Kind{"<f8", 8, Format::float64, decode<8, from_float64>},
    Kind{"|i1", 1, {}, decode<1, from_signed<1>>},
    Kind{"<i2", 2, {}, decode<2, from_signed<2>>},
    Kind{"<i4", 4, {}, decode<4, from_signed<4>>},
    Kind{"<i8", 8, {}, decode<8, from_signed<8>>},
    Kind{"|u1", 1, {}, decode<1, from_unsigned>},
    Kind{"<u2", 2, {}, decode<2, from_unsigned>},
    Kind{"<u4", 4, {}, decode<4, from_unsigned>},
    Kind{"<u8", 8, {}, decode<8, from_unsigned>},
};
constexpr Kind bfloat16_kind{"<u2", 2, Format::bfloat16, decode<2, from_bfloat16>};
// clang-format on

std::string refusal(const std::string& descr) {
    const std::string name = "dtype '" + descr + "' ";
    if (descr.starts_with('>'))
        return name + "is big-endian; save it as '<" + descr.substr(1) + "'";
    if (descr == "|O") return name + "is an object array, a pickle; save numbers";
    return name + "is none of <f2, <f4, <f8, or integers of 8 to 64 bits";
}

ReadResult<Array> decode_array(std::span<const std::byte> bytes, const NpyHeader& header,
                               const Kind& kind) {
    std::uint64_t count = 1;
    for (const std::uint64_t length : header.shape) {
        const auto product = checked_mul(count, length);
        if (!product) return ReadError{10, "the shape's product exceeds 64 bits"};
        count = *product;
    }
    const std::uint64_t present = bytes.size() - header.data_offset;
    const auto needed = checked_mul(count, kind.bytes);
    if (!needed || *needed != present)
        return ReadError{bytes.size(), "the shape needs " +
                                           (needed ? decimal(*needed) : "more than 2^64") +
                                           " bytes of data and there are " + decimal(present)};
    if (count > max_array_values)
        return ReadError{
            10, "has " + decimal(count) + " values; the limit is " + decimal(max_array_values)};
    Array array{header.shape, kind.format, std::vector<double>(count)};
    kind.decode(bytes.subspan(header.data_offset), array.values);
    const auto lost = std::find_if(array.values.begin(), array.values.end(),
                                   [](double x) { return std::isnan(x); });
    if (!kind.format && lost != array.values.end()) {
        const auto index = static_cast<std::uint64_t>(lost - array.values.begin());
        return ReadError{header.data_offset + index * kind.bytes,
                         "value " + decimal(index) + " is an integer beyond 2^53"};
    }
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
        if (kind.descr == header.descr) return decode_array(bytes, header, kind);
    return ReadError{10, refusal(header.descr)};
}

ReadResult<Array> read_npy_bfloat16_bits(std::span<const std::byte> bytes) {
    const auto result = c_order_header(bytes);
    if (const auto* error = std::get_if<ReadError>(&result)) return *error;
    const auto& header = std::get<NpyHeader>(result);
    if (header.descr == bfloat16_kind.descr) return decode_array(bytes, header, bfloat16_kind);
    return ReadError{10, "dtype '" + header.descr + "' is not <u2, which holds bfloat16 bits"};
}

}  // namespace rope::io
