#include "io/writers/npy.hpp"

#include <cassert>
#include <cstring>

#include "rope/decimal.hpp"

namespace rope::io {
namespace {

std::string header(Element element, std::span<const std::uint64_t> shape) {
    std::string lengths;
    for (const std::uint64_t length : shape) lengths += decimal(length) + ", ";
    std::string dict = std::string("{'descr': '") + (element == Element::int64 ? "<i8" : "<f4") +
                       "', 'fortran_order': False, 'shape': (" + lengths + "), }";
    while ((10 + dict.size() + 1) % 64 != 0) dict += ' ';
    dict += '\n';
    std::string bytes("\x93NUMPY\x01\x00", 8);
    bytes += static_cast<char>(dict.size() & 255);
    bytes += static_cast<char>(dict.size() >> 8);
    return bytes + dict;
}

template <typename T>
void append(std::string& bytes, double value) {
    const T number = static_cast<T>(value);
    char raw[sizeof number];
    std::memcpy(raw, &number, sizeof number);
    bytes.append(raw, sizeof raw);
}

}  // namespace

std::string npy_bytes(Element element, std::span<const std::uint64_t> shape,
                      const std::function<double(std::uint64_t)>& value) {
    assert(element == Element::float32 || element == Element::int64);
    std::uint64_t count = 1;
    for (const std::uint64_t length : shape) count *= length;
    std::string bytes = header(element, shape);
    bytes.reserve(bytes.size() + count * bytes_of(element));
    for (std::uint64_t i = 0; i < count; ++i)
        if (element == Element::int64)
            append<std::int64_t>(bytes, value(i));
        else
            append<float>(bytes, value(i));
    return bytes;
}

}  // namespace rope::io
