// Reads files of arrays up to dumps.
#pragma once

#include <string>
#include <vector>

#include "io/dump/dump.hpp"
#include "io/tensor/tensor_file.hpp"
#include "tests/fuzz/fuzz.hpp"

namespace rope::fuzz {

inline void require_whole(const io::Array& array) {
    std::uint64_t count = 1;
    for (const std::uint64_t length : array.shape) count *= length;
    require(array.bytes.size() == count * bytes_of(array.element), "a shape of other bytes");
    (void)array.values();
}

inline std::vector<io::NamedDump> dumps_in(const std::string& path, const io::DumpHints& hints) {
    io::DumpFiles files;
    files.dump = path;
    io::DumpTensors tensors(files);
    return load_dump(tensors, hints);
}

// Reads every array, and the file as a dump with and without a Spec.
inline void read_arrays(Bytes input, const std::string& name) {
    const std::string path = file_of(text_of(input), name);
    const io::TensorFile file = io::open_tensor_file(path);
    for (const std::string& array : file.names())
        is_accepted([&] { require_whole(file.array(array)); });
    Spec small;
    small.head_dim = small.rotary_dim = 8;
    for (const io::DumpHints& hints : {io::DumpHints{}, io::DumpHints{small}})
        is_accepted([&] {
            require(!dumps_in(path, hints).empty(), "a file without a dump is not refused");
        });
}

}  // namespace rope::fuzz
