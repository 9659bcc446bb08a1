#include <algorithm>

#include "io/tensor/readers.hpp"
#include "io/text/json_text.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

constexpr std::uint64_t length_bytes = 8;
constexpr std::size_t most_listed_axes = 32;

// A dtype's size and Element; no Element if the dtype is not read.
struct StoredType {
    std::uint64_t bytes;
    std::optional<Element> element;
};

// Returns nothing for a dtype that is newer than this reader.
std::optional<StoredType> type_of(std::string_view dtype) {
    if (dtype == "C64") return StoredType{8, Element::float32};
    if (dtype == "BOOL") return StoredType{1, Element::uint8};
    if (dtype == "F8_E4M3" || dtype == "F8_E5M2" || dtype == "F8_E8M0") return StoredType{1, {}};
    const auto* found = std::ranges::find(safetensors_names, dtype);
    if (found == safetensors_names.end()) return std::nullopt;
    const auto element = static_cast<Element>(found - safetensors_names.begin());
    return StoredType{bytes_of(element), element};
}

[[noreturn]] void refuse_header(const std::string& what) { throw ReadError(length_bytes, what); }

SafetensorsEntry read_entry(const std::string& name, const json& value, std::uint64_t data,
                            std::uint64_t size) {
    const auto refuse = [&](const std::string& what) {
        refuse_header("tensor '" + name + "' " + what);
    };
    const auto member = [&](const char* key) {
        return value.is_object() && value.contains(key) ? value[key] : json();
    };
    const json dtype = member("dtype"), shape = member("shape"), offsets = member("data_offsets");
    constexpr auto are_whole = is_list_of<&json::is_number_unsigned>;
    if (!dtype.is_string() || !are_whole(shape) || !are_whole(offsets) || offsets.size() != 2 ||
        value.size() != 3)
        refuse("is not {\"dtype\": …, \"shape\": […], \"data_offsets\": [begin, end]}");
    SafetensorsEntry entry{dtype.get<std::string>(), shape.get<std::vector<std::uint64_t>>(),
                           offsets[0].get<std::uint64_t>(), offsets[1].get<std::uint64_t>()};
    if (entry.shape.size() > most_listed_axes)
        refuse("has " + decimal(entry.shape.size()) + " axes; the limit is " +
               decimal(most_listed_axes));
    if (entry.begin > entry.end || entry.end > size)
        refuse("lies at bytes " + decimal(entry.begin) + " to " + decimal(entry.end) +
               " of the data, which have " + decimal(size));
    const auto type = type_of(entry.dtype);
    std::optional<std::uint64_t> needed = type ? type->bytes : 0;
    for (const std::uint64_t length : entry.shape)
        needed = needed ? checked_mul(*needed, length) : std::nullopt;
    if (type && needed != entry.end - entry.begin)
        refuse("needs " + (needed ? decimal(*needed) : "more than 2^64") +
               " bytes by its shape and has " + decimal(entry.end - entry.begin));
    entry.begin += data;
    entry.end += data;
    return entry;
}

// Every byte of the data belongs to exactly one tensor.
void refuse_gaps(const Safetensors& file, std::uint64_t begin, std::uint64_t end) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges;
    for (const auto& [name, entry] : file.tensors) ranges.emplace_back(entry.begin, entry.end);
    ranges.emplace_back(end, end);
    std::ranges::sort(ranges);
    for (const auto& [from, to] : ranges) {
        if (from != begin)
            throw ReadError(std::min(from, begin), from < begin ? "two tensors share bytes"
                                                                : "bytes that belong to no tensor");
        begin = to;
    }
}

json parsed(std::string_view header) try {
    return parse_json(header, "the header");
} catch (const InputError& error) {
    refuse_header(error.what());
}

}  // namespace

Safetensors list_safetensors(std::span<const std::byte> bytes) {
    if (bytes.size() < length_bytes)
        throw ReadError(bytes.size(), "is not a .safetensors: it ends within the header's length");
    const std::uint64_t length = little_endian<8>(bytes, 0);
    const std::uint64_t remaining = bytes.size() - length_bytes;
    if (length > max_safetensors_header)
        throw ReadError(0, "the header claims " + decimal(length) + " bytes; the limit is " +
                               decimal(max_safetensors_header));
    if (length > remaining)
        throw ReadError(bytes.size(), "the header needs " + decimal(length) +
                                          " bytes and there are " + decimal(remaining));
    const std::string_view text = as_text(bytes.subspan(length_bytes, length));
    if (!text.starts_with('{'))
        refuse_header("is not a .safetensors: its header does not start with '{'");
    Safetensors file;
    const std::uint64_t data = length_bytes + length;
    const json header = parsed(text);
    for (const auto& [name, value] : header.items()) {
        if (name != "__metadata__") {
            file.tensors.emplace(name, read_entry(name, value, data, bytes.size() - data));
            continue;
        }
        if (!value.is_object()) refuse_header("__metadata__ is not an object");
        for (const auto& [key, item] : value.items()) {
            if (!item.is_string()) refuse_header("__metadata__ '" + key + "' is not a string");
            file.metadata.emplace(key, item.get<std::string>());
        }
    }
    refuse_gaps(file, data, bytes.size());
    return file;
}

Array read_safetensor(std::span<const std::byte> bytes, const std::string& name,
                      const SafetensorsEntry& entry) {
    const auto type = type_of(entry.dtype);
    if (!type || !type->element)
        throw ReadError(
            entry.begin,
            "tensor '" + name + "' has dtype " + entry.dtype +
                ", which is not read; save it as F32" +
                (entry.dtype.starts_with("F8_") ? " before it is quantised to 8 bits" : ""));
    Shape shape = entry.shape;
    if (entry.dtype == "C64") shape.push_back(2);  // real and imaginary part
    return typed_array(bytes, {entry.begin, entry.end, length_bytes}, std::move(shape),
                       *type->element);
}

}  // namespace rope::io
