// Opens files of arrays; a file's first bytes determine its format.
#include "io/tensor/tensor_file.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "io/tensor/readers.hpp"
#include "io/text/number.hpp"

namespace rope::io {
namespace {

constexpr std::size_t most_axes = 8;

constexpr std::pair<std::string_view, Element> words[] = {{"f64", Element::float64},
                                                          {"f32", Element::float32},
                                                          {"f16", Element::float16},
                                                          {"bf16", Element::bfloat16}};

using Bytes = std::span<const std::byte>;

// A .safetensors with a header of 19280 bytes begins with "PK", too.
bool is_zip(std::string_view text) {
    return text.starts_with("PK\3\4") || text.starts_with("PK\5\6");  // with members, without
}

bool is_safetensors(std::string_view text) { return text.size() > 8 && text[8] == '{'; }

// A pickle starts with PROTO 2 to 5 and an opcode, which is not 0 as most third bytes of a
// .safetensors are.
bool opens_as_pickle(std::string_view text) {
    return text.size() > 2 && text[0] == '\x80' && 2 <= text[1] && text[1] <= 5 && text[2] != 0;
}

bool is_gguf(Bytes bytes) { return as_text(bytes).starts_with("GGUF"); }

// Returns the arrays of a file, or nothing if the format is not known. `file_size` exceeds
// bytes.size() if `bytes` is the head of a GGUF. The readers view the bytes.
std::optional<FileArrays> list_arrays(Bytes bytes, std::uint64_t file_size) {
    const std::string_view text = as_text(bytes);
    FileArrays arrays;
    const auto add_all = [&](const auto& tensors, const auto& read) {
        for (const auto& [name, tensor] : tensors)
            arrays.readers[name] = [=] { return read(bytes, name, tensor); };
    };
    if (is_gguf(bytes)) {
        add_all(list_gguf(bytes, file_size).tensors, read_gguf_tensor);
    } else if (is_zip(text)) {
        arrays = list_npz(bytes);
    } else if (text.starts_with("\x93NUMPY")) {
        arrays.readers[""] = [only = read_npy(bytes)] { return only; };
    } else if (is_safetensors(text)) {
        const Safetensors file = list_safetensors(bytes);
        arrays.metadata = file.metadata;
        add_all(file.tensors, read_safetensor);
    } else {
        return std::nullopt;
    }
    return arrays;
}

// A zip archive that torch.save wrote has a member data.pkl.
bool holds_pickle(const FileArrays& arrays) {
    return std::ranges::any_of(arrays.readers, [](const auto& one) {
        return one.first == "data.pkl" || one.first.ends_with("/data.pkl");
    });
}

constexpr std::uint64_t gguf_head_bytes = std::uint64_t{64} << 20;

FileHead load(const std::string& path, const MemoryLimit& limit) {
    const std::uint64_t left = limit.bytes - std::min(limit.used, limit.bytes);
    const FileHead magic = read_input_head(path, 4, left);
    if (is_gguf(magic.bytes) && magic.file_size > max_whole_gguf_bytes)
        return read_input_head(path, gguf_head_bytes, left);
    limit.require(input_name(path), magic.file_size);
    FileHead whole{read_input(path, left), 0};
    whole.file_size = whole.bytes.size();
    return whole;
}

[[noreturn]] void refuse_pickle(const std::string& name, const std::string& path) {
    const std::string other = printable(
        std::filesystem::path(path).filename().replace_extension(".safetensors").native());
    throw InputError(name +
                     ": is a pickle, which is not read; save its tensors with "
                     "safetensors.torch.save_file({\"q\": q, \"q_rot\": q_rot}, \"" +
                     other + "\")");
}

[[noreturn]] void refuse_format(const std::string& name, const std::string& path) {
    if (path.ends_with(".onnx"))
        throw InputError(name +
                         ": is an ONNX model, which is not read; save the arrays with "
                         "numpy.savez(\"x.npz\", cos=cos, sin=sin), each of them from "
                         "onnx.numpy_helper.to_array(tensor)");
    throw InputError(
        name +
        ": is not an .npy, .npz, .safetensors or GGUF by its first bytes; save the array with "
        "numpy.save, or compare numbers without a header with --raw f32:4096,64 (their type and "
        "shape)");
}

}  // namespace

void MemoryLimit::require(const std::string& file, std::uint64_t needed) const {
    if (used + needed <= bytes) return;
    throw InputError(file + ": needs " + byte_count(needed) + " of memory" +
                     (used > 0 ? " in addition to " + byte_count(used) + " of other files" : "") +
                     "; " + std::string(name) + " is " + byte_count(bytes));
}

Element parse_raw_element(const std::string& text) {
    for (const auto& [word, element] : words)
        if (text == word || text == to_string(element)) return element;
    throw InputError("--raw", ": '" + printable(text, 60) + "' is not f64, f32, f16 or bf16");
}

std::vector<std::uint64_t> parse_raw_shape(const std::string& text) {
    if (text.find_first_of("xX*") != text.npos)
        throw InputError("--raw", ": '" + printable(text, 60) +
                                      "' must have commas between its lengths, such as 4096,64");
    Shape shape;
    for (const std::string& length : split_list(text))
        shape.push_back(parse_whole("--raw", length, 1, max_array_values));
    if (shape.size() > most_axes)
        throw InputError("--raw", ": '" + printable(text, 60) + "' has more than 8 axes");
    return shape;
}

std::vector<std::string> TensorFile::names() const {
    std::vector<std::string> all;
    for (const auto& [name, read] : arrays_->readers) all.push_back(name);
    return all;
}

NamedArray TensorFile::named_array(const std::string& name) const {
    const auto found = arrays_->readers.find(name);
    if (found == arrays_->readers.end()) {
        std::string known = join(names(), [](const auto& one) { return printable(one); });
        if (!known.empty()) known.insert(0, "; it has ");
        throw InputError(name_ + ": holds no array '" + printable(name) + "'" +
                         (has("") ? "; it is one array" : printable(known, 1000)));
    }
    const std::string called = name.empty() ? name_ : name_ + ":" + printable(name);
    Array array = read_named(called, found->second);
    if (!array.owner) array.owner = bytes_.owner();
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

TensorFile tensor_file_of(const std::string& path, FileHead head, const MemoryLimit& limit) {
    const std::string name = input_name(path);
    constexpr std::array<std::string_view, 3> endings{".pt", ".pth", ".ckpt"};
    const auto is_own = [&](std::string_view ending) { return path.ends_with(ending); };
    const bool may_be_pickle =
        opens_as_pickle(as_text(head.bytes)) || std::ranges::any_of(endings, is_own);
    std::optional<FileArrays> arrays;
    try {
        arrays = read_named(name, [&] { return list_arrays(head.bytes, head.file_size); });
    } catch (const InputError&) {
        if (!may_be_pickle) throw;
    }
    if (arrays ? holds_pickle(*arrays) : may_be_pickle) refuse_pickle(name, path);
    if (!arrays && head.file_size == 0) throw InputError(name + ": is empty");
    if (!arrays) refuse_format(name, path);
    TensorFile file{name, std::move(head.bytes),
                    std::make_shared<const FileArrays>(*std::move(arrays))};
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
