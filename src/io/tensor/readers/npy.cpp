// NumPy's .npy: its header, its other orders of bytes and of axes, its numbers.
#include "io/tensor/readers/npy.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "io/tensor/readers/array.hpp"

namespace rope::io {
namespace {

// The header of a .npy: a magic, a version, and a Python dict literal with three keys.

struct NpyHeader {
    std::string descr;  // "<f4"
    bool fortran_order = false;
    std::vector<std::uint64_t> shape;
    std::size_t data_offset = 0;
};

inline constexpr std::size_t max_npy_header = 65'535;
inline constexpr std::size_t max_npy_axes = 32;

constexpr std::string_view magic = "\x93NUMPY";

// Reads {'descr': '<f4', 'fortran_order': False, 'shape': (9, 128), }; keys in any order, each
// once. Every step returns false, or nothing, where the text is something else.
class DictReader {
  public:
    explicit DictReader(std::string_view text) : text_(text) {}

    bool read(NpyHeader& header) {
        if (!skip('{')) return false;
        bool descr = false, order = false, shape = false;
        while (!skip('}')) {
            const auto key = quoted();
            if (!key || !skip(':')) return false;
            bool* seen = *key == "descr"           ? &descr
                         : *key == "fortran_order" ? &order
                         : *key == "shape"         ? &shape
                                                   : nullptr;
            if (seen == nullptr || *seen || !value(*key, header)) return false;
            *seen = true;
            if (!skip(',') && peek() != '}') return false;
        }
        return descr && order && shape && peek() == '\0';
    }

    std::size_t offset() const { return at_; }

  private:
    bool value(std::string_view key, NpyHeader& header) {
        if (key == "shape") return tuple(header.shape);
        if (key == "fortran_order") {
            header.fortran_order = word("True");
            return header.fortran_order || word("False");
        }
        const auto text = quoted();
        if (text) header.descr = *text;
        return text.has_value();
    }

    // (), (9,), (9, 128) or (9, 128,)
    bool tuple(std::vector<std::uint64_t>& shape) {
        if (!skip('(')) return false;
        while (!skip(')')) {
            std::uint64_t length = 0;
            peek();
            const char* const begin = text_.data() + at_;
            const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), length);
            if (error != std::errc{} || shape.size() == max_npy_axes) return false;
            at_ += static_cast<std::size_t>(end - begin);
            shape.push_back(length);
            const bool comma = skip(',');
            if (!comma && (peek() != ')' || shape.size() == 1)) return false;
        }
        return true;
    }

    std::optional<std::string_view> quoted() {
        const char quote = peek();
        if (quote != '\'' && quote != '"') return std::nullopt;
        const std::size_t end = text_.find(quote, at_ + 1);
        if (end == text_.npos) return std::nullopt;
        const std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return inside;
    }

    bool word(std::string_view expected) {
        peek();
        if (!text_.substr(at_).starts_with(expected)) return false;
        at_ += expected.size();
        return true;
    }

    // The next character that is not blank; NUL at the end.
    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }

    bool skip(char expected) {
        if (peek() != expected || at_ == text_.size()) return false;
        ++at_;
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

ReadError truncated(std::size_t needed, std::size_t present) {
    return {present, "the header needs " + decimal(needed) + " bytes and the data ends after " +
                         decimal(present)};
}

ReadResult<NpyHeader> read_npy_header(std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    if (!text.starts_with(magic))
        return ReadError{0, "is not an .npy: it does not start with \\x93NUMPY"};
    if (text.size() < 8) return truncated(8, text.size());
    const auto major = std::to_integer<unsigned>(bytes[6]);
    const auto minor = std::to_integer<unsigned>(bytes[7]);
    if (major < 1 || major > 3 || minor != 0)
        return ReadError{
            6, ".npy version " + decimal(major) + "." + decimal(minor) + " is not 1.0, 2.0 or 3.0"};
    const std::size_t start = major == 1 ? 10 : 12;
    if (text.size() < start) return truncated(start, text.size());
    const std::uint64_t length =
        major == 1 ? little_endian<2>(bytes, 8) : little_endian<4>(bytes, 8);
    if (length > max_npy_header)
        return ReadError{8, "the header claims " + decimal(length) + " bytes; the limit is " +
                                decimal(max_npy_header)};
    if (text.size() - start < length) return truncated(start + length, text.size());

    NpyHeader header;
    header.data_offset = start + length;
    DictReader dict(text.substr(start, length));
    if (!dict.read(header))
        return ReadError{start + dict.offset(),
                         "the header is not {'descr': …, 'fortran_order': …, 'shape': (…)}"};
    return header;
}

// NumPy's other orders of bytes and of axes, as row-major little-endian copies.

// A copy of `bytes` in which every whole number of `size` bytes from `begin` on is reversed.
std::vector<std::byte> reversed_numbers(std::span<const std::byte> bytes, std::size_t begin,
                                        std::size_t size) {
    std::vector<std::byte> copy(bytes.begin(), bytes.end());
    const auto place = [&](std::size_t at) {
        return copy.begin() + static_cast<std::ptrdiff_t>(at);
    };
    for (std::size_t at = begin; at + size <= copy.size(); at += size)
        std::reverse(place(at), place(at + size));
    return copy;
}

// Row-major, of an array whose first axis varies fastest. Of complex numbers the last axis, their
// parts, stays the fastest.
Array from_fortran_order(const Array& array, bool is_complex) {
    const std::size_t axes = array.shape.size() - (is_complex ? 1 : 0);
    const std::size_t size = bytes_of(array.element) * (is_complex ? 2 : 1);
    // axis k of the file is n_0·…·n_{k−1} numbers apart
    std::vector<std::uint64_t> stride(axes, 1), index(axes, 0);
    for (std::size_t k = 1; k < axes; ++k) stride[k] = stride[k - 1] * array.shape[k - 1];
    const auto rows = std::make_shared<std::vector<std::byte>>(array.bytes.size());
    std::uint64_t from = 0;
    for (std::size_t to = 0; to < rows->size(); to += size) {
        std::memcpy(rows->data() + to, array.bytes.data() + from * size, size);
        for (std::size_t k = axes; k-- > 0;) {
            from += stride[k];
            if (++index[k] < array.shape[k]) break;
            from -= stride[k] * array.shape[k];
            index[k] = 0;
        }
    }
    return {array.shape, array.element, *rows, rows};
}

struct NpyType {
    std::string_view descr;
    Element element;
    bool is_complex = false;
};

constexpr std::array npy_types{
    NpyType{"<f4", Element::float32},  NpyType{"<f2", Element::float16},
    NpyType{"<f8", Element::float64},  NpyType{"<c8", Element::float32, true},
    NpyType{"|i1", Element::int8},     NpyType{"<c16", Element::float64, true},
    NpyType{"<i2", Element::int16},    NpyType{"<i4", Element::int32},
    NpyType{"<i8", Element::int64},    NpyType{"|u1", Element::uint8},
    NpyType{"|b1", Element::uint8},    NpyType{"<u2", Element::uint16},
    NpyType{"<u4", Element::uint32},   NpyType{"<u8", Element::uint64},
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
