// The ways a file comes in: whole, regular, bounded and never mapped; or piped by a user.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "io/file/file_descriptor.hpp"

namespace rope::io {

// Bytes that a read is about to write.

// Memory as it is, on large pages where there are enough of them.
void* allocate_bytes(std::size_t count);
void free_bytes(void* at, std::size_t count) noexcept;

// Leaves new elements as the memory is: clearing what is read next takes a tenth as long as
// reading. Large ones are on large pages, of which a gigabyte has 512 to be faulted in and cleared
// in place of 262,144.
template <class T>
struct LeaveUnset : std::allocator<T> {
    T* allocate(std::size_t count) { return static_cast<T*>(allocate_bytes(count * sizeof(T))); }
    void deallocate(T* at, std::size_t count) noexcept { free_bytes(at, count * sizeof(T)); }
    template <class U>
    struct rebind {
        using other = LeaveUnset<U>;
    };
    template <class U>
    void construct(U* at) noexcept {
        ::new (static_cast<void*>(at)) U;
    }
    template <class U, class... From>
    void construct(U* at, From&&... from) {
        ::new (static_cast<void*>(at)) U(std::forward<From>(from)...);
    }
};

using FileBytes = std::vector<std::byte, LeaveUnset<std::byte>>;

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
