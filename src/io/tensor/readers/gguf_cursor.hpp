// Reads a GGUF from its start, every length compared with the bytes that remain.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "io/tensor/readers/array.hpp"
#include "io/tensor/readers/gguf.hpp"
#include "io/tensor/readers/little_endian.hpp"

namespace rope::io {

// After the first failure everything reads as zero or empty, and that failure stays.
class GgufCursor {
  public:
    GgufCursor(std::span<const std::byte> bytes, std::uint64_t file_size)
        : bytes_(bytes), file_size_(file_size) {}

    template <std::size_t Bytes>
    std::uint64_t number() {
        return need(Bytes) ? little_endian<Bytes>(bytes_, advance(Bytes)) : 0;
    }
    std::string_view text(std::uint64_t length);
    // A length of 8 bytes and as many characters.
    std::string_view string(std::uint64_t most, std::string_view what);
    // How many of `what` follow; each takes more than one byte.
    std::uint64_t count(std::uint64_t most, std::string_view what);
    // A type and a value of it.
    GgufValue value(const std::string& key);

    void fail(std::uint64_t offset, std::string what);
    bool failed() const { return error_.has_value(); }
    const ReadError& error() const { return *error_; }
    std::uint64_t at() const { return at_; }

  private:
    std::uint64_t remaining() const { return bytes_.size() - at_; }
    bool need(std::uint64_t length);
    std::uint64_t advance(std::uint64_t length);
    GgufValue scalar(std::uint64_t type, const std::string& key);
    GgufValue list(const std::string& key);

    std::span<const std::byte> bytes_;
    std::uint64_t file_size_;
    std::uint64_t at_ = 0;
    std::optional<ReadError> error_;
};

}  // namespace rope::io
