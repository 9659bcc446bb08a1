#include "io/tensor/readers/gguf_cursor.hpp"

#include <bit>
#include <limits>
#include <type_traits>
#include <utility>

#include "base/decimal.hpp"

namespace rope::io {
namespace {

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
constexpr std::uint64_t bytes_of_type[value_types] = {1, 1, 2, 2, 4, 4, 4, 1, 8, 0, 8, 8, 8};

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

double as_double(const GgufValue& value) {
    return std::visit(
        [](const auto& number) -> double {
            if constexpr (std::is_arithmetic_v<std::decay_t<decltype(number)>>)
                return static_cast<double>(number);
            else
                return 0;
        },
        value);
}

}  // namespace

void GgufCursor::fail(std::uint64_t offset, std::string what) {
    if (!error_) error_ = ReadError{offset, std::move(what)};
    at_ = bytes_.size();
}

bool GgufCursor::need(std::uint64_t length) {
    if (failed()) return false;
    if (length <= remaining()) return true;
    const std::string there =
        bytes_.size() < file_size_
            ? "the " + decimal(bytes_.size()) + " bytes that are read of the file have "
            : "the file has ";
    fail(at_,
         decimal(length) + " bytes are needed here and " + there + decimal(remaining()) + " more");
    return false;
}

std::uint64_t GgufCursor::advance(std::uint64_t length) { return std::exchange(at_, at_ + length); }

std::string_view GgufCursor::text(std::uint64_t length) {
    if (!need(length)) return {};
    return {reinterpret_cast<const char*>(bytes_.data()) + advance(length), length};
}

std::string_view GgufCursor::string(std::uint64_t most, std::string_view what) {
    const std::uint64_t begin = at_, length = number<8>();
    if (length > most)
        fail(begin, std::string(what) + " claims " + decimal(length) + " bytes; the limit is " +
                        decimal(most));
    return text(length);
}

std::uint64_t GgufCursor::count(std::uint64_t most, std::string_view what) {
    const std::uint64_t begin = at_, claimed = number<8>();
    if (claimed > most || claimed > remaining())
        fail(begin, "claims " + decimal(claimed) + " " + std::string(what) + "; the limit is " +
                        decimal(most) + ", and " + decimal(remaining()) + " bytes remain");
    return failed() ? 0 : claimed;
}

GgufValue GgufCursor::value(const std::string& key) {
    const std::uint64_t type = number<4>();
    return type == array_type ? list(key) : scalar(type, key);
}

GgufValue GgufCursor::scalar(std::uint64_t type, const std::string& key) {
    const std::uint64_t begin = at_;
    switch (type) {
        case uint8_type:
            return number<1>();
        case int8_type:
            return std::int64_t{static_cast<std::int8_t>(number<1>())};
        case uint16_type:
            return number<2>();
        case int16_type:
            return std::int64_t{static_cast<std::int16_t>(number<2>())};
        case uint32_type:
            return number<4>();
        case int32_type:
            return std::int64_t{static_cast<std::int32_t>(number<4>())};
        case float32_type:
            return std::bit_cast<float>(static_cast<std::uint32_t>(number<4>()));
        case bool_type: {
            const std::uint64_t flag = number<1>();
            if (flag > 1)
                fail(begin, "metadata key '" + key + "' is a bool of " + decimal(flag) +
                                "; it must be 0 or 1");
            return flag == 1;
        }
        case string_type:
            return string(no_limit, "a string");
        case uint64_type:
            return number<8>();
        case int64_type:
            return static_cast<std::int64_t>(number<8>());
        case float64_type:
            return std::bit_cast<double>(number<8>());
        default:
            fail(begin, "metadata key '" + key + "' has a value of type " + decimal(type) +
                            ", which is not known");
            return GgufSkipped{};
    }
}

GgufValue GgufCursor::list(const std::string& key) {
    const std::uint64_t begin = at_, type = number<4>(), length = number<8>();
    if (type >= value_types || type == array_type) {
        fail(begin, "metadata key '" + key + "' is an array of " +
                        (type == array_type ? "arrays" : "type " + decimal(type)) +
                        ", which is not read");
        return GgufSkipped{};
    }
    const std::uint64_t each = bytes_of_type[type];  // at least, for a string
    if (length > remaining() / each) {
        fail(begin, "metadata key '" + key + "' claims " + decimal(length) + " values and " +
                        decimal(remaining()) + " bytes remain");
        return GgufSkipped{};
    }
    if (type == string_type) {
        for (std::uint64_t i = 0; i < length && !failed(); ++i) string(no_limit, "a string");
        return GgufSkipped{};
    }
    if (length > max_gguf_numbers) {
        advance(length * each);
        return GgufSkipped{};
    }
    std::vector<double> numbers;
    for (std::uint64_t i = 0; i < length && !failed(); ++i)
        numbers.push_back(as_double(scalar(type, key)));
    return numbers;
}

}  // namespace rope::io
