// Reads NumPy's .npy: a magic, a version, a header in Python's syntax, then the numbers.
#include <algorithm>

#include "io/tensor/readers.hpp"
#include "io/text/json_text.hpp"

namespace rope::io {
namespace {

struct NpyHeader {
    std::string descr;  // "<f4"
    bool fortran_order = false;
    Shape shape;
    std::size_t data_offset = 0;
};

constexpr std::size_t max_npy_header = 65'535;
constexpr std::size_t max_npy_axes = 32;

// A dict of Python as JSON: its tuples are lists, without a comma at their ends.
std::string as_json(std::string_view dict) {
    std::string json;
    for (const char c : dict) {
        if (c == ')' || c == '}')
            if (const std::size_t last = json.find_last_not_of(" \n");
                last != json.npos && json[last] == ',')
                json.erase(last);
        json += c == '\'' ? '"' : c == '(' ? '[' : c == ')' ? ']' : c == '[' ? '(' : c;
    }
    for (const auto& [own, other] : {std::pair("True", "true"), std::pair("False", "false")})
        if (const std::size_t at = json.find(own); at != json.npos)
            json.replace(at, std::string_view(own).size(), other);
    return json;
}

// {'descr': '<f4', 'fortran_order': False, 'shape': (9, 128), }; keys in any order, each once.
NpyHeader header_of(std::string_view dict, std::size_t offset) {
    const ReadError refused(offset,
                            "the header is not {'descr': …, 'fortran_order': …, 'shape': (…)}");
    try {
        const nlohmann::json json = parse_json(as_json(dict), "the header");
        const nlohmann::json& shape = json.at("shape");
        if (json.size() == 3 && is_list_of<&nlohmann::json::is_number_unsigned>(shape) &&
            shape.size() <= max_npy_axes)
            return {json.at("descr"), json.at("fortran_order"), shape, offset + dict.size()};
    } catch (const InputError&) {
        throw refused;
    } catch (const nlohmann::json::exception&) {
        throw refused;
    }
    throw refused;
}

NpyHeader read_npy_header(std::span<const std::byte> bytes) {
    const std::string_view text = as_text(bytes);
    const auto require = [&](std::size_t needed) {
        if (text.size() >= needed) return;
        throw ReadError(text.size(), "the header needs " + decimal(needed) +
                                         " bytes and the data ends after " + decimal(text.size()));
    };
    if (!text.starts_with("\x93NUMPY"))
        throw ReadError(0, "is not an .npy: it does not start with \\x93NUMPY");
    require(8);
    const auto major = little_endian<1>(bytes, 6), minor = little_endian<1>(bytes, 7);
    if (major < 1 || major > 3 || minor != 0)
        throw ReadError(
            6, ".npy version " + decimal(major) + "." + decimal(minor) + " is not 1.0, 2.0 or 3.0");
    const std::size_t start = major == 1 ? 10 : 12;
    require(start);
    const std::uint64_t length =
        major == 1 ? little_endian<2>(bytes, 8) : little_endian<4>(bytes, 8);
    if (length > max_npy_header)
        throw ReadError(8, "the header claims " + decimal(length) + " bytes; the limit is " +
                               decimal(max_npy_header));
    require(start + length);

    return header_of(text.substr(start, length), start);
}

// Copies an array whose first axis varies fastest to row-major order. The two parts of a complex
// number, the last axis, stay together.
Array from_fortran_order(const Array& array, bool is_complex) {
    Shape strides(array.shape.size(), 1);
    std::uint64_t step = is_complex ? 2 : 1;
    for (std::size_t axis = 0; axis + (is_complex ? 1 : 0) < strides.size(); ++axis) {
        strides[axis] = step;
        step *= array.shape[axis];
    }
    return strided_copy(array, array.shape, strides);
}

struct NpyType {
    Element element;
    bool is_complex = false;
};

// Returns the type of the numbers; with `are_bits` uint16 words hold bfloat16.
NpyType type_of(const std::string& descr, bool are_bits) {
    const std::string little = descr.starts_with('>') ? "<" + descr.substr(1) : descr;
    const std::string name = "dtype '" + descr + "' ";
    if (are_bits && little != "<u2")
        throw ReadError(10, name + "is not <u2, which holds bfloat16 bits");
    if (are_bits) return {Element::bfloat16};
    if (little == "<c8") return {Element::float32, true};
    if (little == "<c16") return {Element::float64, true};
    if (little == "|b1") return {Element::uint8};
    if (const auto* found = std::ranges::find(npy_names, little); found != npy_names.end())
        return {static_cast<Element>(found - npy_names.begin())};
    if (descr == "|O") throw ReadError(10, name + "is an object array, a pickle; save numbers");
    if (descr.ends_with("V1") || descr.ends_with("f1"))  // NumPy saves float8 of ml_dtypes so
        throw ReadError(
            10, name + "is 8 bits, as float8 has, and not read; save <f4 before it is quantised");
    throw ReadError(10,
                    name + "is not one of <f2, <f4, <f8, <c8, <c16, or integers of 8 to 64 bits");
}

// Copies a file of big-endian numbers and reverses each number of `size` bytes.
std::shared_ptr<const std::vector<std::byte>> little_endian_copy(std::span<const std::byte> bytes,
                                                                 std::size_t begin,
                                                                 std::size_t size) {
    const auto copy = std::make_shared<std::vector<std::byte>>(bytes.begin(), bytes.end());
    for (std::size_t at = begin; at + size <= copy->size(); at += size)
        std::reverse(copy->data() + at, copy->data() + at + size);
    return copy;
}

}  // namespace

Array read_npy(std::span<const std::byte> bytes, bool are_bfloat16_bits) {
    const NpyHeader header = read_npy_header(bytes);
    const NpyType type = type_of(header.descr, are_bfloat16_bits);
    Shape shape = header.shape;
    if (type.is_complex) shape.push_back(2);  // real and imaginary part
    std::shared_ptr<const std::vector<std::byte>> copy;
    if (header.descr.starts_with('>')) {
        copy = little_endian_copy(bytes, header.data_offset, bytes_of(type.element));
        bytes = *copy;
    }
    Array array =
        typed_array(bytes, {header.data_offset, bytes.size(), 10}, std::move(shape), type.element);
    array.owner = std::move(copy);
    return header.fortran_order && header.shape.size() > 1
               ? from_fortran_order(array, type.is_complex)
               : array;
}

}  // namespace rope::io
