// A value's parts, written to bytes or read from them by the same function.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace rope {

// Hands each value over in turn. Those that are not Plain, and no container of others, have an
// exchange(Archive&, T&) that hands over their parts.
class Archive {
  public:
    Archive() = default;                                                       // to write
    explicit Archive(Bytes bytes) : bytes_(std::move(bytes)), reads_(true) {}  // to read

    // Read values replace those that are there. Throws std::length_error where bytes are lacking.
    template <class... T>
    void operator()(T&... values) {
        (hand_over(values), ...);
    }

    bool reads() const { return reads_; }
    // All that was written.
    const Bytes& bytes() const { return bytes_; }

  private:
    template <class T>
    void hand_over(T& value) {
        if constexpr (Plain<T>)
            raw(&value, sizeof value);
        else
            exchange(*this, value);
    }
    template <class T>
    void hand_over(std::vector<T>& values) {
        values.resize(count(values.size()));
        if constexpr (Plain<T>)
            raw(values.data(), values.size() * sizeof(T));
        else
            for (T& value : values) hand_over(value);
    }
    void hand_over(std::string& text) {
        text.resize(count(text.size()));
        raw(text.data(), text.size());
    }
    template <class T>
    void hand_over(std::optional<T>& value) {
        bool is_there = value.has_value();
        hand_over(is_there);
        if (!is_there) return value.reset();
        if (!value) value.emplace();
        hand_over(*value);
    }

    // Of parts, each of a byte or more.
    std::size_t count(std::size_t parts) {
        hand_over(parts);
        if (reads_ && parts > bytes_.size() - at_) throw std::length_error("bytes are lacking");
        return parts;
    }

    void raw(void* value, std::size_t size);

    Bytes bytes_;
    bool reads_ = false;
    std::size_t at_ = 0;  // the first byte to read
};

template <class T>
Bytes archived(T value) {
    Archive archive;
    archive(value);
    return archive.bytes();
}

template <class T>
T read_archived(const Bytes& bytes) {
    T value{};
    Archive archive(bytes);
    archive(value);
    return value;
}

}  // namespace rope
