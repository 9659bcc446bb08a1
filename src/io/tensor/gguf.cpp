// Reads llama.cpp's GGUF: metadata, and the table of tensors.
#include <algorithm>
#include <bit>

#include "io/tensor/readers.hpp"
#include "io/text/json_text.hpp"

namespace rope::io {
namespace {

using nlohmann::json;

// gguf.h, enum gguf_type
enum ValueType : std::uint64_t {
    uint8_type,
    int8_type,
    uint16_type,
    int16_type,
    uint32_type,
    int32_type,
    float32_type,
    bool_type,
    string_type,
    array_type,
    uint64_type,
    int64_type,
    float64_type,
    value_types
};
// The least that a value takes, in bytes.
constexpr std::uint64_t bytes_of_type[value_types] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 0, 8, 8, 8};

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// Returns the double nearest to the shortest decimal that reads back as x.
double as_written(float x) {
    if (!std::isfinite(x)) return x;
    char text[32];
    const char* const end = std::to_chars(text, text + sizeof text, x).ptr;
    double value = 0;
    std::from_chars(text, end, value);
    return value;
}

// Reads a GGUF from its start and compares every length with the bytes that remain.
class GgufCursor {
  public:
    GgufCursor(std::span<const std::byte> bytes, std::uint64_t file_size)
        : bytes_(bytes), file_size_(file_size) {}

    template <std::size_t Bytes>
    std::uint64_t number() {
        return little_endian<Bytes>(bytes_, advance(Bytes));
    }
    std::string_view text(std::uint64_t length) {
        return as_text(bytes_.subspan(advance(length), length));
    }
    // A length of 8 bytes and as many characters.
    std::string_view string(std::uint64_t most, std::string_view what) {
        const std::uint64_t begin = at_, length = number<8>();
        if (length > most)
            throw ReadError(begin, std::string(what) + " claims " + decimal(length) +
                                       " bytes; the limit is " + decimal(most));
        return text(length);
    }
    // How many of `what` follow; each takes more than one byte.
    std::uint64_t count(std::uint64_t most, const std::string& what) {
        const std::uint64_t begin = at_, claimed = number<8>();
        if (claimed > most || claimed > remaining())
            throw ReadError(begin, "claims " + decimal(claimed) + " " + what + "; the limit is " +
                                       decimal(most) + ", and " + decimal(remaining()) +
                                       " bytes remain");
        return claimed;
    }
    // A type and a value of it.
    json value(const std::string& key) {
        const std::uint64_t type = number<4>();
        return type == array_type ? list(key) : scalar(type, key);
    }
    std::uint64_t at() const { return at_; }

  private:
    std::uint64_t remaining() const { return bytes_.size() - at_; }
    std::uint64_t advance(std::uint64_t length);
    json scalar(std::uint64_t type, const std::string& key);
    json list(const std::string& key);

    std::span<const std::byte> bytes_;
    std::uint64_t file_size_;
    std::uint64_t at_ = 0;
};

std::uint64_t GgufCursor::advance(std::uint64_t length) {
    if (length <= remaining()) return std::exchange(at_, at_ + length);
    throw ReadError(at_,
                    decimal(length) + " bytes are needed here and the " +
                        (bytes_.size() < file_size_
                             ? decimal(bytes_.size()) + " bytes that are read of the file have "
                             : "file has ") +
                        decimal(remaining()) + " more");
}

json GgufCursor::scalar(std::uint64_t type, const std::string& key) {
    const std::uint64_t begin = at_;
    if (type >= value_types || type == array_type)
        throw ReadError(begin, "metadata key '" + key + "' has a value of type " + decimal(type) +
                                   ", which is not known");
    if (type == string_type) return std::string(string(no_limit, "a string"));
    const std::uint64_t size = bytes_of_type[type], bits = 8 * size;
    const std::uint64_t value = size == 1   ? number<1>()
                                : size == 2 ? number<2>()
                                : size == 4 ? number<4>()
                                            : number<8>();
    switch (type) {
        case int8_type:
        case int16_type:
        case int32_type:
        case int64_type:
            return static_cast<std::int64_t>(value << (64 - bits)) >> (64 - bits);
        case float32_type:
            return as_written(std::bit_cast<float>(static_cast<std::uint32_t>(value)));
        case float64_type:
            return std::bit_cast<double>(value);
        case bool_type:
            if (value <= 1) return value == 1;
            throw ReadError(begin, "metadata key '" + key + "' is a bool of " + decimal(value) +
                                       "; it must be 0 or 1");
        default:
            return value;
    }
}

json GgufCursor::list(const std::string& key) {
    const std::uint64_t begin = at_, type = number<4>(), length = number<8>();
    if (type >= value_types || type == array_type)
        throw ReadError(begin, "metadata key '" + key + "' is an array of " +
                                   (type == array_type ? "arrays" : "type " + decimal(type)) +
                                   ", which is not read");
    const std::uint64_t each = bytes_of_type[type];
    if (length > remaining() / each)
        throw ReadError(begin, "metadata key '" + key + "' claims " + decimal(length) +
                                   " values and " + decimal(remaining()) + " bytes remain");
    if (type == string_type) {
        for (std::uint64_t i = 0; i < length; ++i) string(no_limit, "a string");
        return skipped_gguf_array;
    }
    if (length > max_gguf_numbers) {
        advance(length * each);
        return skipped_gguf_array;
    }
    json numbers = json::array();
    for (std::uint64_t i = 0; i < length; ++i) {
        const json one = scalar(type, key);
        numbers.push_back(whole_if_it_is(one.is_boolean() ? one.get<bool>() : one.get<double>()));
    }
    return numbers;
}

// The types of tensors that are not quantised, by their numbers: ggml.h, enum ggml_type.
constexpr std::pair<std::uint32_t, Element> types[] = {
    {0, Element::float32}, {1, Element::float16}, {24, Element::int8},    {25, Element::int16},
    {26, Element::int32},  {27, Element::int64},  {28, Element::float64}, {30, Element::bfloat16}};

std::optional<Element> element_of(std::uint32_t type) {
    for (const auto& [number, element] : types)
        if (number == type) return element;
    return std::nullopt;
}

constexpr std::string_view alignment_key = "general.alignment";

void require_version(GgufCursor& cursor) {
    if (cursor.text(4) != "GGUF") throw ReadError(0, "is not a GGUF: it does not start with GGUF");
    const std::uint64_t version = cursor.number<4>();
    if (version > 0xffff)
        throw ReadError(4, "is a big-endian GGUF, which is not read; convert it to little endian");
    if (version != 2 && version != 3)
        throw ReadError(4, "GGUF version " + decimal(version) + " is not 2 or 3");
}

void read_metadata(GgufCursor& cursor, std::uint64_t keys, Gguf& file) {
    for (std::uint64_t i = 0; i < keys; ++i) {
        const std::uint64_t at = cursor.at();
        const std::string key(cursor.string(max_gguf_text, "a key"));
        if (key.empty()) throw ReadError(at, "a metadata key is empty");
        if (!file.metadata.emplace(key, cursor.value(key)).second)
            throw ReadError(at, "metadata key '" + key + "' is given twice");
    }
}

std::uint64_t read_alignment(std::uint64_t at, const Gguf& file) {
    constexpr std::uint64_t usual = 32, largest = std::uint64_t{1} << 20;
    const auto found = file.metadata.find(alignment_key);
    if (found == file.metadata.end()) return usual;
    const auto* alignment = found->second.get_ptr<const std::uint64_t*>();
    if (alignment && std::has_single_bit(*alignment) && *alignment <= largest) return *alignment;
    throw ReadError(at, std::string(alignment_key) + " is " +
                            (alignment ? decimal(*alignment) : "not an unsigned number") +
                            "; it must be a power of two up to " + decimal(largest));
}

// Reads a tensor's entry. Its offset counts from the data, which start after the table.
void read_tensor(GgufCursor& cursor, std::uint64_t alignment, Gguf& file) {
    constexpr std::uint32_t most_dimensions = 4;  // GGML_MAX_DIMS
    const std::uint64_t at = cursor.at();
    const std::string name(cursor.string(max_gguf_text, "a tensor's name"));
    const auto fail = [&](const std::string& what) {
        throw ReadError(at, "tensor '" + name + "' " + what);
    };
    GgufTensor tensor;
    const std::uint64_t dimensions = cursor.number<4>();
    if (dimensions > most_dimensions)
        fail("has " + decimal(dimensions) + " dimensions; the limit is 4");
    for (std::uint64_t i = 0; i < dimensions; ++i)
        tensor.shape.insert(tensor.shape.begin(), cursor.number<8>());
    tensor.type = static_cast<std::uint32_t>(cursor.number<4>());
    tensor.begin = cursor.number<8>();
    if (tensor.begin % alignment != 0)
        fail("starts at byte " + decimal(tensor.begin) +
             " of the data, not at a multiple of the alignment " + decimal(alignment));
    const auto element = element_of(tensor.type);
    std::optional<std::uint64_t> size = element ? bytes_of(*element) : 0;
    for (const std::uint64_t length : tensor.shape) size = size ? checked_mul(*size, length) : size;
    const auto end = size ? checked_add(tensor.begin, *size) : size;
    if (!end) fail("ends beyond 2^64 bytes");
    tensor.end = *end;
    if (!file.tensors.emplace(name, std::move(tensor)).second) fail("appears twice");
}

// Turns offsets into the data into offsets into the file.
void place_tensors(std::uint64_t table_end, std::uint64_t alignment, std::uint64_t file_size,
                   Gguf& file) {
    const auto padded = checked_add(table_end, alignment - 1);
    const std::uint64_t data = padded ? *padded & ~(alignment - 1) : file_size;
    for (auto& [name, tensor] : file.tensors) {
        const auto begin = checked_add(data, tensor.begin), end = checked_add(data, tensor.end);
        if (!begin || !end || *end > file_size)
            throw ReadError(table_end, "tensor '" + name + "' ends at byte " +
                                           (end ? decimal(*end) : "2^64 or later") +
                                           " and the file has " + decimal(file_size));
        tensor.begin = *begin;
        tensor.end = *end;
    }
}

}  // namespace

Gguf list_gguf(std::span<const std::byte> bytes, std::uint64_t file_size) {
    GgufCursor cursor(bytes, file_size);
    Gguf file;
    require_version(cursor);
    const std::uint64_t tensors = cursor.count(max_gguf_tensors, "tensors");
    read_metadata(cursor, cursor.count(max_gguf_keys, "metadata keys"), file);
    const std::uint64_t alignment = read_alignment(cursor.at(), file);
    for (std::uint64_t i = 0; i < tensors; ++i) read_tensor(cursor, alignment, file);
    place_tensors(cursor.at(), alignment, file_size, file);
    return file;
}

Array read_gguf_tensor(std::span<const std::byte> bytes, const std::string& name,
                       const GgufTensor& tensor) {
    const auto element = element_of(tensor.type);
    const auto fail = [&](const std::string& what) {
        throw ReadError(tensor.begin, "tensor '" + name + "' " + what);
    };
    if (!element)
        fail("has type " + decimal(tensor.type) +
             ", which is quantised or not known; F32, F16, BF16, F64 and integers are read");
    if (tensor.end > bytes.size())
        fail("lies beyond the first " + decimal(bytes.size()) + " bytes, and only those are read");
    return typed_array(bytes, {tensor.begin, tensor.end, tensor.begin}, tensor.shape, *element);
}

}  // namespace rope::io
