#include <nlohmann/json.hpp>

#include "io/tensor/readers.hpp"
#include "tests/fuzz/arrays.hpp"
#include "tests/fuzz/mutate.hpp"
#include "tests/io/file_bytes.hpp"

namespace rope::fuzz {
namespace {

struct Tensor {
    std::string name, dtype;
    std::vector<std::uint64_t> shape;
    std::string data;
};
struct Dtype {
    std::string_view name;
    std::uint64_t bytes;
};
constexpr Dtype dtypes[] = {{"F32", 4}, {"F64", 8}, {"F16", 2}, {"BF16", 2}, {"C64", 8},
                            {"I64", 8}, {"I32", 4}, {"U8", 1},  {"BOOL", 1}, {"F8_E5M2", 1}};
constexpr std::string_view tensor_names[] = {
    "cos", "sin", "q", "q_rot", "inv_freq", "position_ids", "cos_sin", "freqs", "k", "k_rot"};

std::vector<Tensor> tensors_of(const io::Safetensors& file, std::span<const std::byte> bytes) {
    std::vector<Tensor> tensors;
    for (const auto& [name, entry] : file.tensors) {
        const auto data = bytes.subspan(entry.begin, entry.end - entry.begin);
        tensors.push_back({name,
                           entry.dtype,
                           entry.shape,
                           {reinterpret_cast<const char*>(data.data()), data.size()}});
    }
    return tensors;
}

void change(std::vector<Tensor>& tensors, Choice& choice) {
    Tensor& tensor = choice.one_of(tensors);
    switch (choice.below(6)) {
        case 0:
            return choice.drop_or_repeat(tensors);
        case 1:
            tensor.name = choice.one_of(tensor_names);
            return;
        case 2:
            tensor.name = mutated(tensor.name);
            return;
        case 3:
            tensor.dtype = choice.one_of(dtypes).name;
            return;
        case 4:
            tensor.shape.insert(tensor.shape.begin(), choice.below(4));
            return;
        default:
            tensor.data = mutated(tensor.data);
            return;
    }
}

// As many bytes as dtype and shape need, up to some kilobytes.
void fit_data(Tensor& tensor) {
    const auto* dtype = std::ranges::find(dtypes, tensor.dtype, &Dtype::name);
    std::uint64_t size = dtype == std::end(dtypes) ? 1 : dtype->bytes;
    for (const std::uint64_t length : tensor.shape)
        size = std::min(size * length, std::uint64_t{2048});
    tensor.data.resize(size);
}

std::string file_of_tensors(std::vector<Tensor> tensors, const io::Safetensors& file) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
    std::string data;
    for (Tensor& tensor : tensors) {
        fit_data(tensor);
        header[tensor.name] = {{"dtype", tensor.dtype},
                               {"shape", tensor.shape},
                               {"data_offsets", {data.size(), data.size() + tensor.data.size()}}};
        data += tensor.data;
    }
    const auto replaced = nlohmann::ordered_json::error_handler_t::replace;
    const std::string text = header.dump(-1, ' ', false, replaced);
    return little(text.size(), 8) + text + data;
}

std::string changed_safetensors(std::span<const std::byte> bytes, Choice& choice) {
    const io::Safetensors file = io::list_safetensors(bytes);
    std::vector<Tensor> tensors = tensors_of(file, bytes);
    for (std::size_t count = 1 + choice.below(3); count > 0 && !tensors.empty(); --count)
        change(tensors, choice);
    return file_of_tensors(std::move(tensors), file);
}

}  // namespace
}  // namespace rope::fuzz

void rope::fuzz::try_input(Bytes input) { read_arrays(input, "x.safetensors"); }

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
    return rope::fuzz::rewrite({data, most}, size, seed, rope::fuzz::changed_safetensors);
}
