// An n-dimensional array as it lies in a file, and how a format's reader makes one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/system/read_file.hpp"
#include "rope/exact/element.hpp"

namespace rope::io {

inline constexpr std::uint64_t max_array_values = std::uint64_t{1} << 28;

using Shape = std::vector<std::uint64_t>;

struct Array {
    Shape shape;  // empty for a scalar
    Element element = Element::float64;
    std::span<const std::byte> bytes;        // row-major, little-endian, as many as the shape needs
    std::shared_ptr<const void> owner = {};  // keeps the bytes alive; readers may leave it empty

    std::uint64_t size() const { return bytes.size() / bytes_of(element); }
    double at(std::uint64_t index) const {
        return number_at(element, bytes.data() + index * bytes_of(element));
    }
    std::vector<double> values() const {
        std::vector<double> all(size());
        for (std::uint64_t i = 0; i < all.size(); ++i) all[i] = at(i);
        return all;
    }
    std::optional<Format> format() const { return format_of(element); }
};

// A file that breaks its format: `offset` counts bytes from the start of the data read.
struct ReadError : InputError {
    ReadError(std::uint64_t at, const std::string& what) : InputError(what), offset(at) {}

    std::uint64_t offset;
};

// Returns read(). Throws InputError "NAME: byte OFFSET: WHAT" in place of a ReadError, and IoError
// if memory runs out.
template <class Read>
auto read_named(const std::string& name, const Read& read) {
    return within_memory(name, [&] {
        try {
            return read();
        } catch (const ReadError& error) {
            throw InputError(name + ": byte " + decimal(error.offset) + ": " +
                             printable(error.what(), 1000));
        }
    });
}

// The arrays of a file by name. Each is read when its function is called, which throws ReadError.
struct FileArrays {
    std::map<std::string, std::function<Array()>, std::less<>> readers;
    std::map<std::string, std::string> metadata = {};  // of a .safetensors
    std::uint64_t unpacked_bytes = 0;                  // of all compressed arrays
};

// The names of each Element in the headers of .npy and of .safetensors. NumPy saves bfloat16 of
// ml_dtypes as |V2.
inline constexpr std::array<std::string_view, 12> npy_names{
    "<f8", "<f4", "|V2", "<f2", "<i8", "<i4", "<i2", "|i1", "<u8", "<u4", "<u2", "|u1"};
inline constexpr std::array<std::string_view, 12> safetensors_names{
    "F64", "F32", "BF16", "F16", "I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8"};

// Where the data of an array lie in a file, and where the file gives their shape.
struct DataPlace {
    std::uint64_t begin, end;
    std::uint64_t shape_offset;
};

// An array that views `bytes`. Throws ReadError if the data do not fill the shape exactly, for
// more than max_array_values, and for integers that no double holds. Requires
// place.begin <= place.end <= bytes.size().
Array typed_array(std::span<const std::byte> bytes, DataPlace place,
                  std::vector<std::uint64_t> shape, Element element);

// The distances between neighbours along each axis of an array with this shape, in elements.
Shape strides_of(const Shape& shape);

// Copies the elements first + Σ index·stride of every index in `shape`, as NumPy's as_strided does.
Array strided_copy(const Array& array, Shape shape, const Shape& strides, std::uint64_t first = 0);

// An unsigned little-endian number. The caller has checked that its bytes exist.
template <std::size_t Bytes>
constexpr std::uint64_t little_endian(std::span<const std::byte> bytes, std::size_t offset) {
    static_assert(Bytes <= 8);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < Bytes; ++i)
        value |= std::to_integer<std::uint64_t>(bytes[offset + i]) << (8 * i);
    return value;
}

// Sums and products of lengths that a file claims; nothing if they exceed 64 bits.

constexpr std::optional<std::uint64_t> checked_add(std::uint64_t a, std::uint64_t b) {
    if (a > std::numeric_limits<std::uint64_t>::max() - b) return std::nullopt;
    return a + b;
}

constexpr std::optional<std::uint64_t> checked_mul(std::uint64_t a, std::uint64_t b) {
    if (a != 0 && b > std::numeric_limits<std::uint64_t>::max() / a) return std::nullopt;
    return a * b;
}

// An array and its name in messages, such as "x.npz:cos".
struct NamedArray {
    std::string name;
    Array array;
};

}  // namespace rope::io
