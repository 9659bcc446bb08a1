// Bytes that a read is about to write.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

namespace rope::io {

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

}  // namespace rope::io
