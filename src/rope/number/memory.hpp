// Arrays for the hot loops, and large outputs written past the caches.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace rope {

// Arrays for the hot loops, from the beginning of a cache line on: a register's worth of numbers
// that lies in two of them costs two accesses.

template <class Number>
struct CacheLineAllocator {
    using value_type = Number;
    static constexpr std::align_val_t line{64};

    CacheLineAllocator() = default;
    template <class Other>
    CacheLineAllocator(const CacheLineAllocator<Other>&) {}

    Number* allocate(std::size_t n) {
        return static_cast<Number*>(::operator new(n * sizeof(Number), line));
    }
    void deallocate(Number* memory, std::size_t) { ::operator delete(memory, line); }
    bool operator==(const CacheLineAllocator&) const { return true; }
};

template <class Number>
using AlignedVector = std::vector<Number, CacheLineAllocator<Number>>;

// Large outputs: past the caches, into huge pages.

// Outputs from this size on evict what others need from the caches, and are not read at once.
inline constexpr std::size_t large_output = std::size_t{8} << 20;

// Asks for huge pages, which take a tenth of the time to touch first. A hint: nothing fails.
void advise_huge_pages(void* memory, std::size_t bytes);

// The pieces in which memory is written past the caches, if all of these are its multiples: the
// addresses and the sizes of rows, or'ed. 32 or 16 bytes, or 0 where none is.
inline std::size_t piece_of(std::uintptr_t multiples) {
    return multiples % 32 == 0 ? 32 : multiples % 16 == 0 ? 16 : 0;
}

// Copies without a detour through the caches where both are aligned to 16 bytes.
void stream(void* to, const void* from, std::size_t bytes);
// After the last such write: what was streamed is seen by other threads.
void finish_streaming();

}  // namespace rope
