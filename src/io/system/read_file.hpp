// Reads files into memory: regular ones, of bounded size and never mapped, or streams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>

#include "io/system/file_descriptor.hpp"

namespace rope::io {

// Bytes of a file. New bytes are not cleared, which would take a tenth as long as reading, and many
// lie on large pages: a gigabyte has 512 of these to fault in instead of 262,144. Copies share the
// bytes.
class FileBytes {
  public:
    FileBytes() = default;
    explicit FileBytes(std::size_t size);
    explicit FileBytes(std::span<const std::byte> from);

    // Keeps the bytes that exist; growing allocates.
    void resize(std::size_t size);

    std::byte* to_fill() { return at_.get(); }
    const std::byte* data() const { return at_.get(); }
    std::size_t size() const { return size_; }
    const std::byte* begin() const { return data(); }
    const std::byte* end() const { return data() + size_; }
    std::shared_ptr<const void> owner() const { return at_; }

  private:
    std::shared_ptr<std::byte> at_;
    std::size_t size_ = 0;
};

inline std::string_view as_text(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The name of an input in messages: its path, or "standard input" for -.
std::string input_name(const std::filesystem::path& path);

// Whether the name is that of a file of arrays: .npz, .npy or .safetensors. A GGUF may be a config.
bool is_called_dump(const std::filesystem::path& path);

// Returns read(). Throws IoError with the input's name if memory runs out.
template <class Read>
auto within_memory(const std::string& name, const Read& read) try {
    return read();
} catch (const std::bad_alloc&) {
    throw IoError(name + ": not enough memory");
}

// Whether symbolic links are followed.
enum class Links { followed, refused };

// The whole file. Throws IoError when it is missing, a folder, a pipe or device, or unreadable;
// InputError when it has more than `limit` bytes.
FileBytes read_file(const std::filesystem::path& path, std::uint64_t limit,
                    Links links = Links::followed);

// The first `most` bytes of a file, or all, and its size. Throws the same IoErrors.
struct FileHead {
    FileBytes bytes;
    std::uint64_t file_size;
};
FileHead read_file_head(const std::filesystem::path& path, std::uint64_t most);

// Keeps a text, which is read as a stream of this name.
void hold_input(const std::string& name, std::string_view text);

// Whether a path is a stream: - for standard input, a FIFO, as a shell makes for <(command), or the
// name of a text that is held.
bool is_stream(const std::filesystem::path& path);

// The same for a path that may be a stream. A stream is read to its end, at most `limit` bytes, and
// its bytes are kept for later calls, up to 64 MiB after read_input. Throws IoError if no
// process writes to a FIFO for ten seconds.
FileBytes read_input(const std::filesystem::path& path, std::uint64_t limit);
FileHead read_input_head(const std::filesystem::path& path, std::uint64_t most,
                         std::uint64_t limit);

}  // namespace rope::io
