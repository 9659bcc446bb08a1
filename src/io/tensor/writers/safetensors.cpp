#include "io/tensor/writers/safetensors.hpp"

#include <array>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "io/json/json_text.hpp"

namespace rope::io {
namespace {

// By Element.
constexpr std::array<std::string_view, 12> dtypes{"F64", "F32", "BF16", "F16", "I64", "I32",
                                                  "I16", "I8",  "U64",  "U32", "U16", "U8"};

// Wider elements come first, so that each tensor is aligned as its readers like it.
std::vector<const WrittenArray*> ordered(std::span<const WrittenArray> arrays) {
    std::vector<const WrittenArray*> ordered;
    for (const std::size_t width : {8u, 4u, 2u, 1u})
        for (const WrittenArray& array : arrays)
            if (bytes_of(array.array.element) == width) ordered.push_back(&array);
    return ordered;
}

}  // namespace

void write_safetensors(std::span<const WrittenArray> arrays,
                       const std::map<std::string, std::string>& metadata, const Sink& write) {
    nlohmann::ordered_json header = nlohmann::ordered_json::object();
    if (!metadata.empty()) header["__metadata__"] = metadata;
    std::uint64_t begin = 0;
    for (const WrittenArray* one : ordered(arrays)) {
        const std::uint64_t end = begin + byte_count(*one);
        header[one->name] = {{"dtype", dtypes[static_cast<std::size_t>(one->array.element)]},
                             {"shape", one->array.shape},
                             {"data_offsets", {begin, end}}};
        begin = end;
    }
    std::string text = json_text(std::move(header));
    text.append((8 - text.size() % 8) % 8, ' ');
    std::string length;
    for (int i = 0; i < 8; ++i) length += static_cast<char>(text.size() >> (8 * i) & 0xff);
    write(length + text);
    for (const WrittenArray* one : ordered(arrays)) write_bytes(*one, write);
}

}  // namespace rope::io
