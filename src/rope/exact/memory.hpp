// Cache-aligned arrays, huge pages and non-temporal stores for large outputs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <vector>

namespace rope {

// Arrays that begin at a cache line: a vector load that crosses two lines costs two accesses.

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

// Size in bytes from which an output would evict other data from the caches.
inline constexpr std::size_t large_output = std::size_t{8} << 20;

// Requests huge pages, which cut the time of the first access to a tenth. A hint without errors.
void advise_huge_pages(void* memory, std::size_t bytes);

// Returns the width in bytes of non-temporal stores, 32 or 16, that all `multiples` (the bitwise or
// of addresses and row sizes) are divisible by; 0 if there is none.
inline std::size_t piece_of(std::uintptr_t multiples) {
    return multiples % 32 == 0 ? 32 : multiples % 16 == 0 ? 16 : 0;
}

// Copies with non-temporal stores if both addresses and the size are multiples of 16 bytes.
void stream(void* to, const void* from, std::size_t bytes);
// Makes streamed data visible to other threads; to be called after the last stream().
void finish_streaming();

}  // namespace rope
