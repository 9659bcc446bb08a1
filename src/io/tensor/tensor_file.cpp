// Files of arrays, each read as its first bytes say.
#include "io/tensor/tensor_file.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/read_file.hpp"
#include "io/tensor/readers/array.hpp"
#include "io/tensor/readers/gguf.hpp"
#include "io/tensor/readers/npy.hpp"
#include "io/tensor/readers/safetensors.hpp"
#include "io/text/number.hpp"

namespace rope::io {

void MemoryLimit::require(const std::string& file, std::uint64_t needed) const {
    if (used + needed <= bytes) return;
    throw InputError(file + ": needs " + byte_count(needed) + " of memory" +
                     (used > 0 ? " in addition to " + byte_count(used) + " of other files" : "") +
                     "; " + std::string(name) + " is " + byte_count(bytes));
}

namespace {

// What --raw says of files without a header.

constexpr std::size_t most_axes = 8;

struct Word {
    std::string_view text;
    Element element;
};
constexpr std::array words{Word{"f64", Element::float64}, Word{"f32", Element::float32},
                           Word{"f16", Element::float16}, Word{"bf16", Element::bfloat16}};

}  // namespace

Element parse_raw_element(const std::string& text) {
    for (const auto& [word, element] : words)
        if (text == word || text == to_string(element)) return element;
    throw InputError("--raw", ": '" + printable(text, 60) + "' is not f64, f32, f16 or bf16");
}

std::vector<std::uint64_t> parse_raw_shape(const std::string& text) {
    std::vector<std::uint64_t> shape;
    for (const std::string& length : split_list(text))
        shape.push_back(parse_whole("--raw", length, 1, max_array_values));
    if (shape.size() > most_axes)
        throw InputError("--raw", ": '" + printable(text, 60) + "' has more than 8 axes");
    return shape;
}

namespace {

// Chooses a file's reader by its first bytes.

using Bytes = std::span<const std::byte>;

std::string_view as_text(Bytes bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

template <typename Map>
std::vector<std::string> keys_of(const Map& map) {
    std::vector<std::string> keys;
    for (const auto& [key, value] : map) keys.push_back(key);
    return keys;
}

struct NpyListing : TensorListing {
    explicit NpyListing(Array only) : only_(std::move(only)) {}
    std::vector<std::string> names() const override { return {""}; }
    bool has(const std::string& name) const override { return name.empty(); }
    ReadResult<Array> array(const std::string&) const override { return only_; }

    Array only_;
};

struct NpzListing : TensorListing {
    explicit NpzListing(NpzMembers members) : members_(std::move(members)) {}
    std::vector<std::string> names() const override { return npz_names(members_); }
    bool has(const std::string& name) const override { return has_npz_member(members_, name); }
    ReadResult<Array> array(const std::string& name) const override {
        return read_npz_member(members_, name);
    }
    std::uint64_t unpacked_bytes() const override { return io::unpacked_bytes(members_); }

    NpzMembers members_;
};

struct SafetensorsListing : TensorListing {
    SafetensorsListing(Bytes bytes, Safetensors file) : bytes_(bytes), file_(std::move(file)) {}
    std::vector<std::string> names() const override { return keys_of(file_.tensors); }
    bool has(const std::string& name) const override { return file_.tensors.contains(name); }
    ReadResult<Array> array(const std::string& name) const override {
        return read_safetensor(bytes_, name, file_.tensors.find(name)->second);
    }
    std::map<std::string, std::string> metadata() const override { return file_.metadata; }

    Bytes bytes_;
    Safetensors file_;
};

struct GgufListing : TensorListing {
    GgufListing(Bytes bytes, Gguf file) : bytes_(bytes), file_(std::move(file)) {}
    std::vector<std::string> names() const override { return keys_of(file_.tensors); }
    bool has(const std::string& name) const override { return file_.tensors.contains(name); }
    ReadResult<Array> array(const std::string& name) const override {
        return read_gguf_tensor(bytes_, name, file_.tensors.find(name)->second);
    }

    Bytes bytes_;
    Gguf file_;
};

using Listed = ReadResult<std::shared_ptr<const TensorListing>>;

// The listing that `make` makes of what a reader read.
template <typename T, typename Make>
Listed listed(ReadResult<T> result, Make make) {
    if (auto* error = std::get_if<ReadError>(&result)) return std::move(*error);
    return std::shared_ptr<const TensorListing>(make(std::get<T>(std::move(result))));
}

// "PK" alone also begins a .safetensors with a header of 19280 bytes.
bool is_zip(std::string_view text) {
    return text.starts_with("PK\3\4") || text.starts_with("PK\5\6");  // with members, without
}

bool is_safetensors(std::string_view text) { return text.size() > 8 && text[8] == '{'; }

// PROTO 2 to 5, and the opcode that a pickler writes next: from protocol 4 on FRAME, with a length
// that the file can hold; before, the integer that torch.save begins with (torch/serialization.py:
// MAGIC_NUMBER), or a container, a class or a tuple's mark.
bool opens_as_pickle(std::string_view text) {
    constexpr std::string_view torch_magic = "\x8a\x0al\xfc\x9c\x46\xf9 j\xa8P\x19.";
    if (text.size() < 3 || text[0] != '\x80' || text[1] < 2 || text[1] > 5) return false;
    const std::string_view rest = text.substr(2);
    if (rest.starts_with(torch_magic) || std::string_view("}]c(").find(rest[0]) != rest.npos)
        return true;
    const Bytes bytes = std::as_bytes(std::span(rest));
    return rest[0] == '\x95' && rest.size() > 9 && little_endian<8>(bytes, 1) <= rest.size() - 9;
}

bool is_gguf(Bytes bytes) { return as_text(bytes).starts_with("GGUF"); }

// A pickle of PyTorch's: the data.pkl of a zip archive, or bytes that no listing was made of and
// that open as one.
bool is_pickle(Bytes bytes, const TensorListing* listing) {
    if (listing == nullptr) return opens_as_pickle(as_text(bytes));
    const auto names = listing->names();
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
        return name == "data.pkl" || name.ends_with("/data.pkl");
    });
}

// Null where the bytes are of no format that is read. `file_size` is more than bytes.size() where
// only the head of a GGUF is there. The listing refers to the bytes.
Listed list_tensors(Bytes bytes, std::uint64_t file_size) {
    const std::string_view text = as_text(bytes);
    if (is_gguf(bytes))
        return listed(list_gguf(bytes, file_size), [&](Gguf file) {
            return std::make_shared<GgufListing>(bytes, std::move(file));
        });
    if (is_zip(text))
        return listed(list_npz(bytes), [](NpzMembers members) {
            return std::make_shared<NpzListing>(std::move(members));
        });
    if (text.starts_with("\x93NUMPY"))
        return listed(read_npy(bytes),
                      [](Array array) { return std::make_shared<NpyListing>(std::move(array)); });
    if (is_safetensors(text))
        return listed(list_safetensors(bytes), [&](Safetensors file) {
            return std::make_shared<SafetensorsListing>(bytes, std::move(file));
        });
    return std::shared_ptr<const TensorListing>();
}

constexpr std::uint64_t gguf_head_bytes = std::uint64_t{64} << 20;

template <typename T>
T value_or_throw(ReadResult<T> result, const std::string& name) {
    if (const auto* error = std::get_if<ReadError>(&result))
        throw InputError(name + ": byte " + decimal(error->offset) + ": " +
                         printable(error->what, 1000));
    return std::get<T>(std::move(result));
}

// A stream has no head alone: it must be read to its end.
FileHead load_stream(const std::string& path, const MemoryLimit& limit) {
    FileHead whole{read_input(path, limit.bytes - std::min(limit.used, limit.bytes)), 0};
    limit.require(input_name(path), whole.bytes.size());
    whole.file_size = whole.bytes.size();
    return whole;
}

FileHead load(const std::string& path, const MemoryLimit& limit) {
    const FileHead magic = read_file_head(path, 4);
    if (is_gguf(magic.bytes) && magic.file_size > max_whole_gguf_bytes)
        return read_file_head(path, gguf_head_bytes);
    limit.require(printable(path), magic.file_size);
    FileHead whole{read_file(path, limit.bytes), 0};
    whole.file_size = whole.bytes.size();
    return whole;
}

bool ends_with(const std::string& path, std::initializer_list<std::string_view> endings) {
    for (const std::string_view ending : endings)
        if (path.ends_with(ending)) return true;
    return false;
}

[[noreturn]] void refuse_pickle(const std::string& name, const std::string& path) {
    const std::string other = printable(
        std::filesystem::path(path).filename().replace_extension(".safetensors").native());
    throw InputError(name +
                     ": is a PyTorch pickle, which is not read; save its tensors with "
                     "safetensors.torch.save_file({\"cos\": cos, \"sin\": sin}, \"" +
                     other + "\")");
}

[[noreturn]] void refuse_format(const std::string& name, const std::string& path) {
    if (ends_with(path, {".onnx"}))
        throw InputError(name +
                         ": is an ONNX model, which is not read; save the arrays with "
                         "numpy.savez(\"x.npz\", cos=cos, sin=sin), each of them from "
                         "onnx.numpy_helper.to_array(tensor)");
    throw InputError(name + ": is not an .npy, .npz, .safetensors or GGUF by its first bytes");
}

}  // namespace

TensorFile::TensorFile(std::string name, std::shared_ptr<const FileBytes> bytes,
                       std::shared_ptr<const TensorListing> listing)
    : name_(std::move(name)), bytes_(std::move(bytes)), listing_(std::move(listing)) {}

Array TensorFile::array(const std::string& name) const { return named_array(name).array; }

NamedArray TensorFile::named_array(const std::string& name) const {
    if (!has(name)) {
        std::string known;
        for (const std::string& one : names())
            known += (known.empty() ? "; it has " : ", ") + printable(one);
        throw InputError(name_ + ": holds no array '" + printable(name) + "'" +
                         (has("") ? "; it is one array" : printable(known, 1000)));
    }
    const std::string called = name.empty() ? name_ : name_ + ":" + printable(name);
    Array array =
        value_or_throw(within_memory(called, [&] { return listing_->array(name); }), called);
    if (!array.owner) array.owner = bytes_;
    return {called, std::move(array)};
}

NamedArray TensorFile::sole_array() const {
    const std::vector<std::string> all = names();
    if (all.size() == 1) return named_array(all.front());
    const std::string one = all.empty() ? "cos" : printable(all.front());
    throw InputError(name_ + ": is an archive; name one of its arrays, such as " + name_ + ":" +
                     one);
}

TensorFile open_tensor_file(const std::string& path, const MemoryLimit& limit) {
    return tensor_file_of(path, load(path, limit), limit);
}

TensorFile open_tensor_input(const std::string& path, const MemoryLimit& limit) {
    return is_stream(path) ? tensor_file_of(path, load_stream(path, limit), limit)
                           : open_tensor_file(path, limit);
}

TensorFile tensor_file_of(const std::string& path, FileHead head, const MemoryLimit& limit) {
    const std::string name = input_name(path);
    const auto bytes = std::make_shared<const FileBytes>(std::move(head.bytes));
    auto result = within_memory(name, [&] { return list_tensors(*bytes, head.file_size); });
    const auto* listing = std::get_if<std::shared_ptr<const TensorListing>>(&result);
    const bool is_readable = listing != nullptr && *listing != nullptr;
    if (is_pickle(*bytes, is_readable ? listing->get() : nullptr) ||
        (!is_readable && ends_with(path, {".pt", ".pth", ".bin", ".ckpt"})))
        refuse_pickle(name, path);
    if (listing != nullptr && !is_readable) refuse_format(name, path);
    TensorFile file{name, bytes, value_or_throw(std::move(result), name)};
    limit.require(name, file.memory());
    return file;
}

NamedArray load_array(const std::string& file) {
    std::error_code error;
    const std::size_t colon = file.rfind(':');
    if (colon == file.npos || std::filesystem::exists(file, error))
        return open_tensor_file(file).sole_array();
    return open_tensor_file(file.substr(0, colon)).named_array(file.substr(colon + 1));
}

}  // namespace rope::io
