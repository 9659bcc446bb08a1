// Opens files of arrays: .npy, .npz, .safetensors, GGUF, and files without a header.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/system/read_file.hpp"
#include "io/tensor/array.hpp"
#include "rope/exact/element.hpp"

namespace rope::io {

// The most memory for the bytes of files and for their unpacked arrays. 131,072 positions of 16
// heads of 128 float32 dimensions, before and after, are 2 GiB.
struct MemoryLimit {
    std::uint64_t bytes = std::uint64_t{4} << 30;
    std::uint64_t used = 0;               // by earlier files
    std::string_view name = "the limit";  // "--max-memory"
    // Throws InputError: x.npz: needs 5.3 GiB of memory; the limit is 4 GiB
    void require(const std::string& file, std::uint64_t needed) const;
};

// How files without a header are read.
struct RawArrays {
    Element element;
    Shape shape;
};
// Parse "f64", "f32", "f16" or "bf16", and "4096,64". Throw InputError that names --raw.
Element parse_raw_element(const std::string& text);
std::vector<std::uint64_t> parse_raw_shape(const std::string& text);

// The largest GGUF that is read as a whole; of a larger one only the first 64 MiB are read.
inline constexpr std::uint64_t max_whole_gguf_bytes = std::uint64_t{1} << 30;

// An open file. Copies and arrays share its bytes; a compressed array is unpacked when it is read.
class TensorFile {
  public:
    TensorFile(std::string name, FileBytes bytes, std::shared_ptr<const FileArrays> arrays)
        : name_(std::move(name)), bytes_(std::move(bytes)), arrays_(std::move(arrays)) {}

    std::vector<std::string> names() const;  // "" in an .npy
    bool has(std::string_view name) const { return arrays_->readers.contains(name); }
    // Throw InputError that names the file, the array and the byte.
    Array array(const std::string& name) const { return named_array(name).array; }
    NamedArray named_array(const std::string& name) const;  // called "file:name"
    NamedArray sole_array() const;                          // of a file with one array
    // The metadata of a .safetensors; empty for the other formats.
    const std::map<std::string, std::string>& metadata() const { return arrays_->metadata; }
    const std::string& name() const { return name_; }  // printable
    // The most memory in bytes that the file and its arrays take.
    std::uint64_t memory() const { return bytes_.size() + arrays_->unpacked_bytes; }

  private:
    std::string name_;
    FileBytes bytes_;
    std::shared_ptr<const FileArrays> arrays_;
};

// Opens a file or a stream; its first bytes determine the format. Throws InputError for a file of
// another format, for PyTorch pickles and ONNX models with advice, and before a file takes too much
// memory. Throws IoError if it cannot be read.
TensorFile open_tensor_file(const std::string& path, const MemoryLimit& limit = {});

// The same for a file that has been read. Throws InputError.
TensorFile tensor_file_of(const std::string& path, FileHead head, const MemoryLimit& limit = {});

// The array of "x.npy", or an array of an archive as "x.npz:cos", unless a file has this name.
// Throws InputError or IoError.
NamedArray load_array(const std::string& file);

}  // namespace rope::io
