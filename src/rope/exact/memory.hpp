// Arrays that begin at a cache line: a vector load that crosses two lines costs two accesses.
#pragma once

#include <cstddef>
#include <new>
#include <vector>

namespace rope {

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

}  // namespace rope
