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

std::string npy_header(const WrittenArray& array) {
    std::string header = "{'descr': '" + descr_of(array) +
                         "', 'fortran_order': False, 'shape': " + shape_of(array) + ", }";
    constexpr std::size_t before = 10, alignment = 64;
    header.append(alignment - 1 - (before + header.size()) % alignment, ' ').append("\n");
    return "\x93NUMPY" + little(1, 2) + little(header.size(), 2) + header;
}

std::string member_name(const WrittenArray& array) {
    const bool is_bits = array.array.element == Element::bfloat16;
    return array.name + (is_bits ? "__bf16bits.npy" : ".npy");
}

void refuse_large(std::span<const WrittenArray> arrays) {
    constexpr std::uint64_t headers = 30 + 46, end = 22;
    std::uint64_t size = end;
    for (const WrittenArray& array : arrays)
        size +=
            headers + 2 * member_name(array).size() + npy_header(array).size() + byte_count(array);
    if (size >= 0xffffffff)
        throw InputError("an .npz of more than 4 GiB is not written; choose fewer positions");
}

// The bytes are made twice, as the checksum comes before them and a pipe cannot go back.
std::uint64_t checksum(const WrittenArray& array, const Sink& write) {
    std::uint64_t crc = 0;
    write_npy(array, [&](std::string_view part) {
        // of no bytes it would begin again
        if (!part.empty())
            crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
        write({});  // a signal that ends the process need not wait for the second time
    });
    return crc;
}

}  // namespace

void write_npy(const WrittenArray& array, const Sink& write) {
    write(npy_header(array));
    write_bytes(array, write);
}

std::string write_npy(const WrittenArray& array) {
    std::string file;
    write_npy(array, [&](std::string_view part) { file += part; });
    return file;
}

void write_npz(std::span<const WrittenArray> arrays, const Sink& write) {
    refuse_large(arrays);
    std::uint64_t offset = 0;
    std::string directory;
    for (const WrittenArray& array : arrays) {
        const std::string name = member_name(array);
        const std::uint64_t size = npy_header(array).size() + byte_count(array);
        const std::string told = told_twice(checksum(array, write), size, name.size());
        directory.append(little(0x02014b50, 4)).append(little(20, 2)).append(told);
        directory.append(10, '\0').append(little(offset, 4)).append(name);
        const std::string local = little(0x04034b50, 4).append(told).append(name);
        write(local);
        write_npy(array, write);
        offset += local.size() + size;
    }
    write(directory + little(0x06054b50, 4) + little(0, 4) + little(arrays.size(), 2) +
          little(arrays.size(), 2) + little(directory.size(), 4) + little(offset, 4) +
          little(0, 2));
}

}  // namespace rope::io
