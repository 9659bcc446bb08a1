// .npy and .npz files built byte by byte, valid and invalid.
#pragma once

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "io/tensor/array.hpp"

namespace rope {

// The ReadError that read() throws, as "offset: text"; otherwise empty.
template <class Read>
std::string read_error(const Read& read) {
    try {
        read();
    } catch (const io::ReadError& error) {
        return std::to_string(error.offset) + ": " + error.what();
    }
    return "";
}

inline std::span<const std::byte> as_bytes(const std::string& text) {
    return {reinterpret_cast<const std::byte*>(text.data()), text.size()};
}

inline std::string little(std::uint64_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& data,
                       const std::string& fortran_order = "False", int version = 1) {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': " + fortran_order +
                         ", 'shape': " + shape + ", }";
    const std::size_t before = version == 1 ? 10 : 12;
    header.append(63 - (before + header.size()) % 64, ' ').append("\n");
    return "\x93NUMPY" + little(static_cast<std::uint64_t>(version), 2) +
           little(header.size(), version == 1 ? 2 : 4) + header + data;
}

template <typename T>
std::string raw(const std::vector<T>& values) {
    std::string bytes(values.size() * sizeof(T), '\0');
    if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
    return bytes;
}

inline std::string npy_floats(const std::string& shape, const std::vector<float>& values) {
    return npy("<f4", shape, raw(values));
}

// One member; fields that a test does not set are as np.savez writes them.
struct TestMember {
    std::string name;  // with .npy
    std::string data;
    std::uint64_t method = 0;
    std::uint64_t flags = 0;
    std::int64_t size_lie = 0;    // added to both sizes in the directory
    std::int64_t offset_lie = 0;  // added to the local header's offset
    std::uint64_t crc_lie = 0;    // xor
    std::string local_name = {};  // in the local header, if it differs
    bool zip64_local = true;      // sizes of the local header in a zip64 field
    std::string packed = {};      // the archived bytes, if they differ from `data`
};

// A raw deflate stream, as a zip archive holds it.
inline std::string deflated(const std::string& data) {
    z_stream stream{};
    if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) != Z_OK) return "";
    std::string packed(deflateBound(&stream, static_cast<uLong>(data.size())), '\0');
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(data.data()));
    stream.avail_in = static_cast<uInt>(data.size());
    stream.next_out = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_out = static_cast<uInt>(packed.size());
    deflate(&stream, Z_FINISH);
    packed.resize(stream.total_out);
    deflateEnd(&stream);
    return packed;
}

// A member as np.savez_compressed writes it.
inline TestMember compressed(const std::string& name, const std::string& data) {
    return {.name = name, .data = data, .method = 8, .packed = deflated(data)};
}

inline std::string npz(const std::vector<TestMember>& members) {
    std::string archive, directory;
    for (const TestMember& m : members) {
        const auto crc = crc32_z(0, reinterpret_cast<const Bytef*>(m.data.data()), m.data.size());
        const std::uint64_t at = archive.size() + static_cast<std::uint64_t>(m.offset_lie);
        const std::uint64_t size = m.data.size() + static_cast<std::uint64_t>(m.size_lie);
        const std::string& content = m.packed.empty() ? m.data : m.packed;
        const std::uint64_t packed = m.packed.empty() ? size : content.size();
        const std::uint64_t local_size = m.zip64_local ? 0xffffffff : m.data.size();
        const std::uint64_t local_packed = m.zip64_local ? 0xffffffff : content.size();
        const std::string& local_name = m.local_name.empty() ? m.name : m.local_name;
        const std::string extra = m.zip64_local
                                      ? little(1, 2) + little(16, 2) + little(m.data.size(), 8) +
                                            little(content.size(), 8)
                                      : "";
        const std::string shared =
            little(m.flags, 2) + little(m.method, 2) + little(0, 4) + little(crc ^ m.crc_lie, 4);
        archive += little(0x04034b50, 4) + little(45, 2) + shared + little(local_packed, 4) +
                   little(local_size, 4) + little(local_name.size(), 2) + little(extra.size(), 2) +
                   local_name + extra + content;
        directory += little(0x02014b50, 4) + little(45, 2) + little(45, 2) + shared +
                     little(packed, 4) + little(size, 4) + little(m.name.size(), 2) + little(0, 2) +
                     little(0, 2) + little(0, 2) + little(0, 2) + little(0, 4) + little(at, 4) +
                     m.name;
    }
    return archive + directory + little(0x06054b50, 4) + little(0, 4) + little(members.size(), 2) +
           little(members.size(), 2) + little(directory.size(), 4) + little(archive.size(), 4) +
           little(0, 2);
}

// GGUF files built byte by byte, valid and invalid.

inline std::string gguf_text(const std::string& text) { return little(text.size(), 8) + text; }

struct TestTensor {
    std::string name;
    std::vector<std::uint64_t> dimensions;  // GGUF's order: the innermost first
    std::uint64_t type = 0;                 // F32
    std::string data = {};
};

// The fields that a test sets; others are as llama.cpp writes them.
struct TestGguf {
    std::string metadata = {};
    std::uint64_t keys = 0;
    std::vector<TestTensor> tensors = {};
    std::uint64_t alignment = 32;
    std::uint64_t version = 3;

    TestGguf& add(const std::string& key, std::uint64_t type, const std::string& value) {
        metadata += gguf_text(key) + little(type, 4) + value;
        ++keys;
        return *this;
    }
    TestGguf& u32(const std::string& key, std::uint64_t value) {
        return add(key, 4, little(value, 4));
    }
    TestGguf& f32(const std::string& key, float value) { return add(key, 6, raw<float>({value})); }
    TestGguf& text(const std::string& key, const std::string& value) {
        return add(key, 8, gguf_text(value));
    }
    TestGguf& i32s(const std::string& key, const std::vector<std::int32_t>& values) {
        return add(key, 9, little(5, 4) + little(values.size(), 8) + raw(values));
    }
    TestGguf& floats(const std::string& name, const std::vector<float>& values) {
        tensors.push_back({name, {values.size()}, 0, raw(values)});
        return *this;
    }

    std::string padded(std::string bytes) const {
        bytes.append((alignment - bytes.size() % alignment) % alignment, '\0');
        return bytes;
    }
    std::string header() const {
        return "GGUF" + little(version, 4) + little(tensors.size(), 8) + little(keys, 8) + metadata;
    }
    std::string bytes() const {
        std::string table, data;
        for (const TestTensor& tensor : tensors) {
            table += gguf_text(tensor.name) + little(tensor.dimensions.size(), 4);
            for (const std::uint64_t length : tensor.dimensions) table += little(length, 8);
            table += little(tensor.type, 4) + little(data.size(), 8);
            data = padded(data + tensor.data);
        }
        return data.empty() ? header() + table : padded(header() + table) + data;
    }
};

}  // namespace rope
