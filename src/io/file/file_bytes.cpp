#include "io/file/file_bytes.hpp"

#include <sys/mman.h>

namespace rope::io {
namespace {

constexpr std::size_t large_page = std::size_t{1} << 21;

std::align_val_t alignment_of(std::size_t count) {
    return std::align_val_t{count < large_page ? alignof(std::max_align_t) : large_page};
}

}  // namespace

void* allocate_bytes(std::size_t count) {
    void* at = ::operator new(count, alignment_of(count));
#ifdef MADV_HUGEPAGE
    // a wish: without it the pages are small
    if (count >= large_page) (void)::madvise(at, count, MADV_HUGEPAGE);
#endif
    return at;
}

void free_bytes(void* at, std::size_t count) noexcept {
    ::operator delete(at, alignment_of(count));
}

}  // namespace rope::io
