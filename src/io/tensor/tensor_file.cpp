#include "io/tensor/tensor_file.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/decimal.hpp"
#include "base/error.hpp"
#include "base/printable.hpp"
#include "io/file/read_file.hpp"
#include "io/file/stream.hpp"
#include "io/tensor/tensor_listing.hpp"

namespace rope::io {
namespace {

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
