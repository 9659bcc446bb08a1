#include "io/tensor/tensor_listing.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "io/tensor/readers/gguf.hpp"
#include "io/tensor/readers/little_endian.hpp"
#include "io/tensor/readers/npy.hpp"
#include "io/tensor/readers/npz.hpp"
#include "io/tensor/readers/safetensors.hpp"

namespace rope::io {
namespace {

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

}  // namespace

bool is_gguf(Bytes bytes) { return as_text(bytes).starts_with("GGUF"); }

bool is_pickle(Bytes bytes, const TensorListing* listing) {
    if (listing == nullptr) return opens_as_pickle(as_text(bytes));
    const auto names = listing->names();
    return std::any_of(names.begin(), names.end(), [](const std::string& name) {
        return name == "data.pkl" || name.ends_with("/data.pkl");
    });
}

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

}  // namespace rope::io
