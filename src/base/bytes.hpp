// Values as bytes, exchanged between threads, processes and runs on one type of machine.
#pragma once

#include <array>
#include <bit>
#include <cstring>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

namespace rope {

using Bytes = std::string;

// True if T has no padding, so that equal values have equal bytes.
template <class T>
inline constexpr bool has_no_padding = std::has_unique_object_representations_v<T> ||
                                       std::is_same_v<T, double> || std::is_same_v<T, float>;
template <class T, std::size_t n>
inline constexpr bool has_no_padding<std::array<T, n>> = has_no_padding<T>;
template <class T>
    requires requires { T::has_no_padding; }
inline constexpr bool has_no_padding<T> = T::has_no_padding;

template <class T>
concept Plain = std::is_trivially_copyable_v<T> && has_no_padding<T>;

template <Plain T>
Bytes to_bytes(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

template <Plain T>
Bytes to_bytes(const T& value) {
    return {reinterpret_cast<const char*>(&value), sizeof value};
}

// Throws std::length_error if the size is not a multiple of sizeof(T).
template <Plain T>
std::vector<T> values_of(const Bytes& bytes) {
    if (bytes.size() % sizeof(T) != 0) throw std::length_error("bytes that end within a value");
    std::vector<T> values(bytes.size() / sizeof(T));
    if (!values.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
}

// Throws std::length_error if the size is not sizeof(T).
template <Plain T>
T value_of(const Bytes& bytes) {
    if (bytes.size() != sizeof(T)) throw std::length_error("bytes of another type");
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), bytes.data(), sizeof(T));
    return std::bit_cast<T>(raw);
}

}  // namespace rope
