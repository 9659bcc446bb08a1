// GGUF files built byte by byte, valid and invalid.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/io/file_bytes.hpp"

namespace rope {

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
