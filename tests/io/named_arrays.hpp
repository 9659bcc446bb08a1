// Small arrays and Specs for the tests of dumps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/system/read_file.hpp"
#include "io/tensor/readers.hpp"
#include "tests/rope/dumps.hpp"
#include "tests/rope/specs.hpp"

namespace rope::io {

using Positions = std::vector<double>;

inline DumpHints asked_for(const Spec& spec, std::string_view axes = "") {
    DumpHints asked(spec);
    asked.axes = axes;
    return asked;
}

inline std::vector<NamedDump> load_dump(const DumpFiles& files, const DumpHints& asked) {
    DumpTensors tensors(files);
    return load_dump(tensors, asked);
}

template <class T>
NamedArray array_of(std::string name, Element element, std::vector<std::uint64_t> shape,
                    const std::vector<double>& values) {
    const auto own = std::make_shared<std::vector<T>>();
    for (const double value : values) own->push_back(static_cast<T>(value));
    return {std::move(name), {std::move(shape), element, std::as_bytes(std::span(*own)), own}};
}

inline NamedArray floats(std::string name, std::vector<std::uint64_t> shape,
                         const std::vector<double>& values) {
    return array_of<float>(std::move(name), Element::float32, std::move(shape), values);
}

inline NamedArray whole(std::string name, std::vector<std::uint64_t> shape,
                        const std::vector<double>& values) {
    return array_of<std::int64_t>(std::move(name), Element::int64, std::move(shape), values);
}

// A member of a recording.
inline NamedArray load_member(const std::string& archive, const std::string& name) {
    const FileBytes bytes = read_file(archive, 1 << 20);
    Array array = list_npz(bytes).readers.at(name)();
    array.owner = bytes.owner();
    return {name, std::move(array)};
}

}  // namespace rope::io
