// Writes arrays as .npy, .npz and .safetensors.
#include "io/tensor/written_array.hpp"

#include <zlib.h>

#include <cstring>
#include <nlohmann/json.hpp>

#include "io/text/json_text.hpp"
#include "rope/exact/codec.hpp"

namespace rope::io {
namespace {

template <typename T>
void store(T value, std::byte* to) {
    std::memcpy(to, &value, sizeof value);
}

void encode(Element element, double x, std::byte* to) {
    switch (element) {
        case Element::float64:
            return store(x, to);
        case Element::float32:
            return store(static_cast<float>(x), to);
        case Element::bfloat16:
            return store(Codec<Format::bfloat16>::nearest(static_cast<float>(x)), to);
        case Element::float16:
            return store(Codec<Format::float16>::nearest(static_cast<float>(x)), to);
        default: {  // little-endian
            const auto whole = static_cast<std::int64_t>(x);
            std::memcpy(to, &whole, bytes_of(element));
        }
    }
}

std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

// bfloat16 is written as its bits.
std::string descr_of(const WrittenArray& array) {
    const Element element = array.array.element;
    if (array.is_complex) return element == Element::float64 ? "<c16" : "<c8";
    if (element == Element::bfloat16) return "<u2";
    return std::string(npy_names[static_cast<std::size_t>(element)]);
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

// The fields that the local header and the directory share (APPNOTE 4.3.7 and 4.3.12). The date is
// 1 January 1980, the earliest.
std::string shared_fields(std::uint64_t crc, std::uint64_t size, std::size_t name) {
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

// The CRC-32 of a member. Its bytes are made twice, since the checksum comes before them and a pipe
// cannot go back.
std::uint64_t checksum(const WrittenArray& array, const Sink& write) {
    std::uint64_t crc = 0;
    write_npy(array, [&](std::string_view part) {
        // no bytes would reset the CRC
        if (!part.empty())
            crc = crc32_z(crc, reinterpret_cast<const Bytef*>(part.data()), part.size());
        write({});  // a signal may end the process here
    });
    return crc;
}

// Wider elements come first, so that each tensor is aligned.
std::vector<const WrittenArray*> ordered(std::span<const WrittenArray> arrays) {
    std::vector<const WrittenArray*> ordered;
    for (const std::size_t width : {8u, 4u, 2u, 1u})
        for (const WrittenArray& array : arrays)
            if (bytes_of(array.array.element) == width) ordered.push_back(&array);
    return ordered;
}

}  // namespace

std::uint64_t byte_count(const WrittenArray& array) {
    std::uint64_t count = bytes_of(array.array.element);
    for (const std::uint64_t axis : array.array.shape) count *= axis;
    return count;
}

void write_bytes(const WrittenArray& array, const Sink& write) {
    if (array.parts) return array.parts(write);
    write(as_text(array.array.bytes));
}

WrittenArray counted(WrittenArray array, TaskCount* bytes) {
    if (bytes == nullptr) return array;
    bytes->all += byte_count(array);
    array.parts = [one = array, bytes](const Sink& write) {
        write_bytes(one, [&](std::string_view part) {
            write(part);
            bytes->ended += part.size();
        });
    };
    return array;
}

Array encoded(Element element, Shape shape, std::span<const double> values) {
    const std::size_t each = bytes_of(element);
    const auto own = std::make_shared<std::vector<std::byte>>(values.size() * each);
    for (std::size_t i = 0; i < values.size(); ++i)
        encode(element, values[i], own->data() + i * each);
    return {std::move(shape), element, *own, own};
}

Array encoded_positions(Shape shape, std::span<const double> positions) {
    const bool whole = std::ranges::all_of(positions, [](double m) { return m == std::trunc(m); });
    return encoded(whole ? Element::int64 : Element::float64, std::move(shape), positions);
}

WrittenArray row_array(std::string name, Element element, Shape shape, std::uint64_t width,
                       Rows rows) {
    WrittenArray array{std::move(name), {std::move(shape), element, {}, {}}};
    const std::uint64_t all = byte_count(array) / bytes_of(element) / width;
    array.parts = [=, rows = std::move(rows)](const Sink& write) {
        const std::uint64_t most = std::max<std::uint64_t>(1, (std::uint64_t{1} << 17) / width);
        for (std::uint64_t first = 0; first < all; first += most) {
            const std::vector<double> values = rows(first, std::min(most, all - first));
            write(as_text(encoded(element, {values.size()}, values).bytes));
        }
    };
    return array;
}

void write_npy(const WrittenArray& array, const Sink& write) {
    write(npy_header(array));
    write_bytes(array, write);
}

void write_npz(std::span<const WrittenArray> arrays, const Sink& write) {
    refuse_large(arrays);
    std::uint64_t offset = 0;
    std::string directory;
    for (const WrittenArray& array : arrays) {
        const std::string name = member_name(array);
        const std::uint64_t size = npy_header(array).size() + byte_count(array);
        const std::string shared = shared_fields(checksum(array, write), size, name.size());
        directory.append(little(0x02014b50, 4)).append(little(20, 2)).append(shared);
        directory.append(10, '\0').append(little(offset, 4)).append(name);
        const std::string local = little(0x04034b50, 4).append(shared).append(name);
        write(local);
        write_npy(array, write);
        offset += local.size() + size;
    }
    write(directory + little(0x06054b50, 4) + little(0, 4) + little(arrays.size(), 2) +
          little(arrays.size(), 2) + little(directory.size(), 4) + little(offset, 4) +
          little(0, 2));
}

void write_safetensors(std::span<const WrittenArray> arrays,
                       const std::map<std::string, std::string>& metadata, const Sink& write) {
    Json header = Json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::uint64_t begin = 0;
    for (const WrittenArray* one : ordered(arrays)) {
        const std::uint64_t end = begin + byte_count(*one);
        header[one->name] = {
            {"dtype", safetensors_names[static_cast<std::size_t>(one->array.element)]},
            {"shape", one->array.shape},
            {"data_offsets", {begin, end}}};
        begin = end;
    }
    std::string text = json_text(std::move(header));
    text.append((8 - text.size() % 8) % 8, ' ');
    write(little(text.size(), 8) + text);
    for (const WrittenArray* one : ordered(arrays)) write_bytes(*one, write);
}

}  // namespace rope::io
