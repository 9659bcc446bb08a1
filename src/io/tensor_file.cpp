#include "io/tensor_file.hpp"

#include <filesystem>
#include <utility>

#include "io/printable.hpp"
#include "io/read_file.hpp"
#include "io/readers/npy.hpp"
#include "io/readers/npz.hpp"
#include "rope/decimal.hpp"

namespace rope::io {
namespace {

using Bytes = std::span<const std::byte>;

[[noreturn]] void refuse(const std::string& name, const ReadError& error) {
    throw InputError(name + ": byte " + decimal(error.offset) + ": " + printable(error.what, 1000));
}

template <typename T>
T value_or_throw(ReadResult<T> result, const std::string& name) {
    if (const auto* error = std::get_if<ReadError>(&result)) refuse(name, *error);
    return std::get<T>(std::move(result));
}

bool starts_with(Bytes bytes, std::string_view magic) {
    return std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size())
        .starts_with(magic);
}

struct NpyListing : TensorListing {
    explicit NpyListing(Array array) : array_(std::move(array)) {}
    std::vector<std::string> names() const override { return {""}; }
    bool has(const std::string& name) const override { return name.empty(); }
    ReadResult<Array> array(const std::string&) const override { return array_; }

    Array array_;
};

struct NpzListing : TensorListing {
    explicit NpzListing(NpzMembers members) : members_(std::move(members)) {}
    std::vector<std::string> names() const override {
        std::vector<std::string> names;
        for (const auto& [name, member] : members_) names.push_back(name);
        return names;
    }
    bool has(const std::string& name) const override { return has_npz_member(members_, name); }
    ReadResult<Array> array(const std::string& name) const override {
        return read_npz_member(members_, name);
    }

    NpzMembers members_;
};

std::shared_ptr<const TensorListing> list(Bytes bytes, const std::string& name) {
    if (starts_with(bytes, "PK"))
        return std::make_shared<NpzListing>(value_or_throw(list_npz(bytes), name));
    return std::make_shared<NpyListing>(value_or_throw(read_npy(bytes), name));
}

}  // namespace

TensorFile::TensorFile(std::string name, std::shared_ptr<const std::vector<std::byte>> bytes)
    : name_(std::move(name)), bytes_(std::move(bytes)), listing_(list(*bytes_, name_)) {}

Array TensorFile::array(const std::string& name) const { return named_array(name).array; }

NamedArray TensorFile::named_array(const std::string& name) const {
    if (!has(name)) {
        std::string known;
        for (const std::string& one : names())
            known += (known.empty() ? "" : ", ") + printable(one);
        throw InputError(name_ + ": holds no array '" + printable(name) + "'; it has " + known);
    }
    const std::string called = name.empty() ? name_ : name_ + ":" + printable(name);
    Array array = value_or_throw(listing_->array(name), called);
    if (!array.owner) array.owner = bytes_;
    return {called, std::move(array)};
}

TensorFile open_tensor_file(const std::string& path) {
    return {printable(path),
            std::make_shared<const std::vector<std::byte>>(read_file(path, max_tensor_file_bytes))};
}

NamedArray load_array(const std::string& file) {
    std::error_code error;
    const std::size_t colon = file.rfind(':');
    if (colon == file.npos || std::filesystem::exists(file, error)) {
        const TensorFile whole = open_tensor_file(file);
        if (!whole.has(""))
            throw InputError(whole.name() + ": is an archive; name one of its arrays, as " +
                             whole.name() + ":cos");
        return whole.named_array("");
    }
    return open_tensor_file(file.substr(0, colon)).named_array(file.substr(colon + 1));
}

}  // namespace rope::io
