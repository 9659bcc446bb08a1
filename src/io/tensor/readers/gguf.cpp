#include "io/tensor/readers/gguf.hpp"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "io/tensor/readers/gguf_cursor.hpp"
#include "io/tensor/readers/gguf_types.hpp"
#include "io/tensor/readers/typed_array.hpp"
#include "io/text/checked.hpp"

namespace rope::io {
namespace {

constexpr std::uint64_t default_alignment = 32, largest_alignment = std::uint64_t{1} << 20;
constexpr std::string_view alignment_key = "general.alignment";
constexpr std::uint32_t most_dimensions = 4;  // GGML_MAX_DIMS

struct Counts {
    std::uint64_t tensors = 0, keys = 0;
};

Counts read_counts(GgufCursor& cursor) {
    if (cursor.text(4) != "GGUF") cursor.fail(0, "is not a GGUF: it does not start with GGUF");
    const std::uint64_t version = cursor.number<4>();
    if (version > 0xffff)
        cursor.fail(4, "is a big-endian GGUF, which is not read; convert it to little endian");
    if (version != 2 && version != 3)
        cursor.fail(4, "GGUF version " + decimal(version) + " is not 2 or 3");
    Counts counts;
    counts.tensors = cursor.count(max_gguf_tensors, "tensors");
    counts.keys = cursor.count(max_gguf_keys, "metadata keys");
    return counts;
}

// llama.cpp stops at an alignment of any other type. `typed` is the offset of the value's type.
void require_uint32(GgufCursor& cursor, std::uint64_t typed, const GgufValue& value) {
    const bool has_its_width = cursor.at() - typed == 2 * sizeof(std::uint32_t);
    if (!has_its_width || !std::holds_alternative<std::uint64_t>(value))
        cursor.fail(typed, std::string(alignment_key) + " is not stored as a uint32");
}

void read_metadata(GgufCursor& cursor, std::uint64_t keys, Gguf& file) {
    for (std::uint64_t i = 0; i < keys && !cursor.failed(); ++i) {
        const std::uint64_t at = cursor.at();
        const std::string key(cursor.string(max_gguf_text, "a key"));
        if (key.empty()) cursor.fail(at, "a metadata key is empty");
        const std::uint64_t typed = cursor.at();
        GgufValue value = cursor.value(key);
        if (key == alignment_key) require_uint32(cursor, typed, value);
        if (!file.metadata.emplace(key, std::move(value)).second)
            cursor.fail(at, "metadata key '" + key + "' is given twice");
    }
}

std::uint64_t read_alignment(GgufCursor& cursor, const Gguf& file) {
    const auto found = file.metadata.find(alignment_key);
    if (found == file.metadata.end()) return default_alignment;
    if (cursor.failed()) return default_alignment;
    const std::uint64_t alignment = std::get<std::uint64_t>(found->second);
    if (std::has_single_bit(alignment) && alignment <= largest_alignment) return alignment;
    cursor.fail(cursor.at(), std::string(alignment_key) + " is " + decimal(alignment) +
                                 "; it must be a power of two up to " + decimal(largest_alignment));
    return default_alignment;
}

// The bytes that the shape takes, or nothing where that wraps or cuts a block.
std::optional<std::uint64_t> bytes_needed(const std::vector<std::uint64_t>& shape,
                                          const GgufTensorType& type) {
    std::optional<std::uint64_t> count = 1;
    for (const std::uint64_t length : shape) count = count ? checked_mul(*count, length) : count;
    const std::uint64_t row = shape.empty() ? 1 : shape.back();
    if (!count || row % type.block_values != 0) return std::nullopt;
    return checked_mul(*count / type.block_values, type.block_bytes);
}

// The tensor with its offset into the data, which start after the table.
void read_tensor(GgufCursor& cursor, std::uint64_t alignment, Gguf& file) {
    const std::uint64_t at = cursor.at();
    const std::string name(cursor.string(max_gguf_text, "a tensor's name"));
    const auto fail = [&](const std::string& what) {
        cursor.fail(at, "tensor '" + name + "' " + what);
    };
    GgufTensor tensor;
    const std::uint64_t dimensions = cursor.number<4>();
    if (dimensions > most_dimensions)
        return fail("has " + decimal(dimensions) + " dimensions; the limit is 4");
    for (std::uint64_t i = 0; i < dimensions; ++i)
        tensor.shape.insert(tensor.shape.begin(), cursor.number<8>());
    tensor.type = static_cast<std::uint32_t>(cursor.number<4>());
    tensor.begin = cursor.number<8>();
    if (cursor.failed()) return;
    if (tensor.begin % alignment != 0)
        return fail("starts at byte " + decimal(tensor.begin) +
                    " of the data, not at a multiple of the alignment " + decimal(alignment));
    std::optional<std::uint64_t> size = 0;
    if (const auto* type = find_gguf_tensor_type(tensor.type)) {
        size = bytes_needed(tensor.shape, *type);
        if (!size)
            return fail("has a shape that does not make whole blocks of " +
                        std::string(type->name) + " in 64 bits");
    }
    const auto end = checked_add(tensor.begin, *size);
    if (!end) return fail("ends beyond 2^64 bytes");
    tensor.end = *end;
    if (!file.tensors.emplace(name, std::move(tensor)).second) fail("appears twice");
}

// From offsets into the data to places in the file.
void place_tensors(GgufCursor& cursor, std::uint64_t alignment, std::uint64_t file_size,
                   Gguf& file) {
    const auto padded = checked_add(cursor.at(), alignment - 1);
    const std::uint64_t data = padded ? *padded & ~(alignment - 1) : file_size;
    for (auto& [name, tensor] : file.tensors) {
        const auto begin = checked_add(data, tensor.begin), end = checked_add(data, tensor.end);
        if (!begin || !end || *end > file_size)
            return cursor.fail(cursor.at(), "tensor '" + name + "' ends at byte " +
                                                (end ? decimal(*end) : "2^64 or later") +
                                                " and the file has " + decimal(file_size));
        tensor.begin = *begin;
        tensor.end = *end;
    }
}

// llama.cpp wants each tensor right after the one before; those of unknown size are left out.
void refuse_overlaps(GgufCursor& cursor, const Gguf& file) {
    using Named = std::pair<const std::string, GgufTensor>;
    std::vector<const Named*> all;
    for (const Named& one : file.tensors)
        if (one.second.begin < one.second.end) all.push_back(&one);
    std::ranges::sort(all, {}, [](const Named* one) {
        return std::pair(one->second.begin, std::string_view(one->first));
    });
    for (std::size_t k = 1; k < all.size(); ++k)
        if (all[k]->second.begin < all[k - 1]->second.end)
            return cursor.fail(all[k]->second.begin, "tensors '" + all[k - 1]->first + "' and '" +
                                                         all[k]->first + "' share bytes");
}

}  // namespace

ReadResult<Gguf> list_gguf(std::span<const std::byte> bytes, std::uint64_t file_size) {
    GgufCursor cursor(bytes, file_size);
    Gguf file;
    const Counts counts = read_counts(cursor);
    read_metadata(cursor, counts.keys, file);
    const std::uint64_t alignment = read_alignment(cursor, file);
    for (std::uint64_t i = 0; i < counts.tensors && !cursor.failed(); ++i)
        read_tensor(cursor, alignment, file);
    if (!cursor.failed()) place_tensors(cursor, alignment, file_size, file);
    if (!cursor.failed()) refuse_overlaps(cursor, file);
    if (cursor.failed()) return cursor.error();
    return file;
}

ReadResult<Array> read_gguf_tensor(std::span<const std::byte> bytes, const std::string& name,
                                   const GgufTensor& tensor) {
    const GgufTensorType* type = find_gguf_tensor_type(tensor.type);
    const auto error = [&](const std::string& what) {
        return ReadError{tensor.begin, "tensor '" + name + "' " + what};
    };
    if (type == nullptr) return error("has type " + decimal(tensor.type) + ", which is not known");
    if (!type->element)
        return error("is quantised as " + std::string(type->name) +
                     ", which is not read; F32, F16, BF16, F64 and integers are");
    if (tensor.end > bytes.size())
        return error("lies beyond the first " + decimal(bytes.size()) +
                     " bytes, and only those are read");
    return typed_array(bytes, {tensor.begin, tensor.end, tensor.begin}, tensor.shape,
                       *type->element);
}

}  // namespace rope::io
