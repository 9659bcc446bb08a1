// Unsigned little-endian numbers out of bytes. The caller has checked that they exist.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace rope::io {

template <std::size_t Bytes>
constexpr std::uint64_t little_endian(std::span<const std::byte> bytes, std::size_t offset) {
    static_assert(Bytes <= 8);
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < Bytes; ++i)
        value |= std::to_integer<std::uint64_t>(bytes[offset + i]) << (8 * i);
    return value;
}

}  // namespace rope::io
