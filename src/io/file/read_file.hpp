// The ways a file comes in: whole, regular, bounded and never mapped; or piped by a user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>

#include "io/file/file_descriptor.hpp"

namespace rope::io {

// Bytes that a read is about to write: new ones are not cleared, which takes a tenth as long as
// reading, and many are on large pages, of which a gigabyte has 512 to be faulted in in place of
// 262,144.
class FileBytes {
  public:
    FileBytes() = default;
    explicit FileBytes(std::size_t size);
    explicit FileBytes(std::span<const std::byte> from);
    FileBytes(const FileBytes& other) : FileBytes(std::span(other.begin(), other.size_)) {}
    FileBytes(FileBytes&& other) noexcept
        : at_(std::move(other.at_)), size_(std::exchange(other.size_, 0)) {}
    FileBytes& operator=(FileBytes other) noexcept {
        at_.swap(other.at_);
        std::swap(size_, other.size_);
        return *this;
    }

    // Keeps what there is; growing allocates.
    void resize(std::size_t size);

    std::byte* data() { return at_.get(); }
    const std::byte* data() const { return at_.get(); }
    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    std::byte* begin() { return data(); }
    std::byte* end() { return data() + size_; }
    const std::byte* begin() const { return data(); }
    const std::byte* end() const { return data() + size_; }
    std::byte operator[](std::size_t k) const { return at_.get()[k]; }

  private:
    struct Free {
        void operator()(std::byte* at) const noexcept;
    };
    std::unique_ptr<std::byte, Free> at_;
    std::size_t size_ = 0;
};

// The one way a file comes in: regular, bounded, never blocking, never mapped.

// An input in messages: its path, or standard input for -.
std::string input_name(const std::filesystem::path& path);

// What read() returns. Where there is no memory for it, IoError says so, with the input's name.
template <class Read>
auto within_memory(const std::string& name, const Read& read) try {
    return read();
} catch (const std::bad_alloc&) {
    throw IoError(name + ": not enough memory");
}

// Whether a path that is a symbolic link leads anywhere.
enum class Links { followed, refused };

// The whole file. Throws IoError when it is missing, a folder, a pipe or device, or unreadable;
// InputError when it has more than `limit` bytes.
FileBytes read_file(const std::filesystem::path& path, std::uint64_t limit,
                    Links links = Links::followed);

// The first `most` bytes of a file, or all of it, and how many it has. Throws IoError likewise.
struct FileHead {
    FileBytes bytes;
    std::uint64_t file_size;
};
FileHead read_file_head(const std::filesystem::path& path, std::uint64_t most);

// What a user pipes in: - for standard input, or a FIFO, as a shell makes of <(command).

bool is_stream(const std::filesystem::path& path);

// As read_file and read_file_head; of a stream, all that comes until it ends, which must be no
// more than `limit` bytes. What it held is kept for the calls that follow, up to 64 MiB after
// read_input. Throws IoError where no process writes to a FIFO for ten seconds.
FileBytes read_input(const std::filesystem::path& path, std::uint64_t limit);
FileHead read_input_head(const std::filesystem::path& path, std::uint64_t most,
                         std::uint64_t limit);

}  // namespace rope::io
