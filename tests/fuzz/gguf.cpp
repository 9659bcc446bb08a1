#include "io/tensor/readers.hpp"
#include "tests/fuzz/arrays.hpp"
#include "tests/fuzz/models.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/io/file_bytes.hpp"

namespace rope::fuzz {
namespace {

struct Key {
    std::string name;
    std::uint64_t type;
    std::string value;
};
struct File {
    std::vector<Key> keys;
    std::vector<TestTensor> tensors;
};

// gguf.h, enum gguf_type; 8 is a string, 9 an array
constexpr std::size_t bytes_of_type[] = {1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

Key key_of(const std::string& name, const nlohmann::json& value) {
    if (value == io::skipped_gguf_array) return {name, 9, little(8, 4) + little(0, 8)};
    if (value.is_string()) return {name, 8, gguf_text(value)};
    if (value.is_boolean()) return {name, 7, little(value ? 1 : 0, 1)};
    if (value.is_number_float()) return {name, 6, raw<float>({value})};
    if (value.is_number_unsigned() && value > UINT32_MAX) return {name, 10, little(value, 8)};
    if (value.is_number_unsigned()) return {name, 4, little(value, 4)};
    if (value.is_number()) return {name, 11, raw<std::int64_t>({value})};
    return {name, 9, little(12, 4) + little(value.size(), 8) + raw<double>(value)};
}

File parts_of(const io::Gguf& gguf, std::span<const std::byte> bytes) {
    File file;
    for (const auto& [name, value] : gguf.metadata) file.keys.push_back(key_of(name, value));
    for (const auto& [name, tensor] : gguf.tensors) {
        const auto data = bytes.subspan(tensor.begin, tensor.end - tensor.begin);
        file.tensors.push_back({name,
                                {tensor.shape.rbegin(), tensor.shape.rend()},
                                tensor.type,
                                {reinterpret_cast<const char*>(data.data()), data.size()}});
    }
    return file;
}

std::string value_of(std::uint64_t type, const std::string& bytes) {
    if (type == 8) return gguf_text(bytes);
    if (type == 9)
        return little(5, 4) + little(bytes.size() / 4, 8) + bytes.substr(0, bytes.size() / 4 * 4);
    std::string value = bytes;
    value.resize(bytes_of_type[type]);
    return value;
}

void change_key(std::vector<Key>& keys, Choice& choice) {
    static constexpr const char* suffixes[] = {"rope.freq_base",
                                               "rope.dimension_count",
                                               "rope.scaling.type",
                                               "rope.scaling.factor",
                                               "rope.scaling.original_context_length",
                                               "rope.scaling.attn_factor",
                                               "rope.dimension_sections",
                                               "attention.key_length",
                                               "attention.head_count",
                                               "attention.sliding_window",
                                               "context_length",
                                               "rope.freq_base_swa",
                                               "embedding_length",
                                               "block_count"};
    Key& key = choice.one_of(keys);
    const std::string content = key.type == 8 ? key.value.substr(8) : key.value;
    switch (choice.below(5)) {
        case 0:
            return choice.drop_or_repeat(keys);
        case 1:
            key.name = mutated(key.name);
            return;
        case 2:
            key.name = key.name.substr(0, key.name.find('.') + 1) + choice.one_of(suffixes);
            return;
        case 3:
            key.type = choice.below(std::size(bytes_of_type));
            break;
        default:
            break;
    }
    key.value = value_of(key.type, mutated(content));
}

// As many bytes as the element type and shape need.
void fit_data(TestTensor& tensor) {
    std::uint64_t size = tensor.type == 0 ? 4 : 2;
    for (const std::uint64_t length : tensor.dimensions)
        size = std::min(size * length, std::uint64_t{2048});
    if (tensor.type <= 1) tensor.data.resize(size);
}

void change_tensor(std::vector<TestTensor>& tensors, Choice& choice) {
    TestTensor& tensor = choice.one_of(tensors);
    switch (choice.below(5)) {
        case 0:
            return choice.drop_or_repeat(tensors);
        case 1:
            tensor.name = mutated(tensor.name);
            return;
        case 2:
            tensor.data = mutated(tensor.data);
            break;
        case 3:
            tensor.type = choice.below(2);
            break;
        default:
            tensor.dimensions.resize(choice.below(4) + 1, choice.below(9));
            break;
    }
    fit_data(tensor);
}

std::string changed_gguf(std::span<const std::byte> bytes, Choice& choice) {
    File file = parts_of(io::list_gguf(bytes, bytes.size()), bytes);
    for (std::size_t count = 1 + choice.below(3); count > 0; --count) {
        const bool of_tensors = choice.below(2) == 0;
        if (of_tensors && !file.tensors.empty()) change_tensor(file.tensors, choice);
        if (!of_tensors && !file.keys.empty()) change_key(file.keys, choice);
    }
    TestGguf written;
    for (const Key& key : file.keys) written.add(key.name, key.type, key.value);
    written.tensors = file.tensors;
    return written.bytes();
}

}  // namespace
}  // namespace rope::fuzz

void rope::fuzz::try_input(Bytes input) {
    is_accepted([&] { read_arrays(input, "x.gguf"); });
    explain_model(io::resolve_model(file_of(text_of(input), "x.gguf"), {}));
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    return rope::fuzz::rewrite({data, most}, size, seed, rope::fuzz::changed_gguf);
}
