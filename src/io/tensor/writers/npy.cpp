#include "io/tensor/writers/npy.hpp"

#include <zlib.h>

#include <array>
#include <string_view>

#include "base/decimal.hpp"
#include "base/error.hpp"

namespace rope::io {
namespace {

std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

// By Element; bfloat16 as its bits.
constexpr std::array<std::string_view, 12> descrs{"<f8", "<f4", "<u2", "<f2", "<i8", "<i4",
                                                  "<i2", "|i1", "<u8", "<u4", "<u2", "|u1"};

std::string descr_of(const WrittenArray& array) {
    if (array.is_complex) return array.array.element == Element::float64 ? "<c16" : "<c8";
    return std::string(descrs[static_cast<std::size_t>(array.array.element)]);
}

// "(9,)", "(9, 64)"
std::string shape_of(const WrittenArray& array) {
    const std::size_t axes = array.array.shape.size() - (array.is_complex ? 1 : 0);
    std::string text = "(";
    for (std::size_t i = 0; i < axes; ++i)
        text += (i == 0 ? "" : " ") + decimal(array.array.shape[i]) +
                (i + 1 < axes || axes == 1 ? "," : "");
    return text + ")";
}

// APPNOTE 4.3.7 and 4.3.12: what the local header and the directory share. The date is
// 1 January 1980, the first that there is.
std::string told_twice(std::uint64_t crc, std::uint64_t size, std::size_t name) {
    return little(20, 2) + little(0, 2) + little(0, 2) + little(0, 2) + little(0x21, 2) +
           little(crc, 4) + little(size, 4) + little(size, 4) + little(name, 2) + little(0, 2);
}

}  // namespace

std::string npy_header(const WrittenArray& array) {
    std::string header = "{'descr': '" + descr_of(array) +
                         "', 'fortran_order': False, 'shape': " + shape_of(array) + ", }";
    constexpr std::size_t before = 10, alignment = 64;
    header.append(alignment - 1 - (before + header.size()) % alignment, ' ').append("\n");
    return "\x93NUMPY" + little(1, 2) + little(header.size(), 2) + header;
}

std::string write_npy(const WrittenArray& array) {
    return npy_header(array) + std::string(reinterpret_cast<const char*>(array.array.bytes.data()),
                                           array.array.bytes.size());
}

std::string write_npz(std::span<const WrittenArray> arrays) {
    std::string archive, directory;
    for (const WrittenArray& array : arrays) {
        const bool is_bits = array.array.element == Element::bfloat16;
        const std::string name = array.name + (is_bits ? "__bf16bits.npy" : ".npy");
        const std::string data = write_npy(array);
        const std::uint64_t crc =
            crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size());
        const std::string told = told_twice(crc, data.size(), name.size());
        directory.append(little(0x02014b50, 4)).append(little(20, 2)).append(told);
        directory.append(10, '\0').append(little(archive.size(), 4)).append(name);
        archive.append(little(0x04034b50, 4)).append(told).append(name).append(data);
        if (archive.size() + directory.size() >= 0xffffffff)
            throw InputError("an .npz of more than 4 GiB is not written; choose fewer positions");
    }
    return archive + directory + little(0x06054b50, 4) + little(0, 4) + little(arrays.size(), 2) +
           little(arrays.size(), 2) + little(directory.size(), 4) + little(archive.size(), 4) +
           little(0, 2);
}

}  // namespace rope::io
