// Serialization: one function both writes the parts of a value to bytes and reads them back.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "base/bytes.hpp"

namespace rope {

// Writes values to bytes, or reads them back in the same order. A type that is neither Plain nor a
// container needs a function exchange(Archive&, T&) that passes its parts to the archive.
class Archive {
  public:
    Archive() = default;                                                       // writes
    explicit Archive(Bytes bytes) : bytes_(std::move(bytes)), reads_(true) {}  // reads

    // Reading overwrites the values. Throws std::length_error if the bytes end too early.
    template <class... T>
    void operator()(T&... values) {
        (hand_over(values), ...);
    }

    bool reads() const { return reads_; }
    // Returns all bytes written so far.
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

    // Writes or reads the number of parts of a container. Each part takes at least one byte.
    std::size_t count(std::size_t parts) {
        hand_over(parts);
        if (reads_ && parts > bytes_.size() - at_) throw std::length_error("bytes are lacking");
        return parts;
    }

    void raw(void* value, std::size_t size);

    Bytes bytes_;
    bool reads_ = false;
    std::size_t at_ = 0;  // offset of the next byte to read
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
