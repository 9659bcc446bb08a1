#include "rope/exact/memory.hpp"

#include <cstdint>
#include <cstring>

#ifdef __SSE2__
#include <emmintrin.h>
#endif
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace rope {

void advise_huge_pages(void* memory, std::size_t bytes) {
#ifdef __linux__
    constexpr std::uintptr_t page = 2 << 20;
    const auto begin = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
    const auto end = (reinterpret_cast<std::uintptr_t>(memory) + bytes) / page * page;
    // the whole pages inside the memory
    // NOLINTNEXTLINE(performance-no-int-to-ptr)
    if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
    static_cast<void>(memory), static_cast<void>(bytes);
#endif
}

void stream(void* to, const void* from, std::size_t bytes) {
#ifdef __SSE2__
    constexpr std::size_t width = sizeof(__m128i);
    const auto addresses =
        reinterpret_cast<std::uintptr_t>(to) | reinterpret_cast<std::uintptr_t>(from);
    if (addresses % width == 0 && bytes % width == 0) {
        auto* out = static_cast<__m128i*>(to);
        const auto* in = static_cast<const __m128i*>(from);
        for (std::size_t k = 0; k < bytes / width; ++k) _mm_stream_si128(out + k, in[k]);
        return;
    }
#endif
    std::memcpy(to, from, bytes);
}

void finish_streaming() {
#ifdef __SSE2__
    _mm_sfence();
#endif
}

}  // namespace rope
