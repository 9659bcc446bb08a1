#include "rope/exact/big_real.hpp"

#include <mpfr.h>

#include <cstdlib>
#include <new>

namespace rope {
namespace {

void* or_throw(void* memory) {
    if (memory != nullptr) return memory;
    if (const std::new_handler handler = std::get_new_handler()) handler();
    throw std::bad_alloc();
}

void* allocate(std::size_t size) { return or_throw(std::malloc(size)); }
void* reallocate(void* old, std::size_t, std::size_t size) {
    return or_throw(std::realloc(old, size));
}
void release(void* memory, std::size_t) { std::free(memory); }

}  // namespace

void make_gmp_throw() { mp_set_memory_functions(allocate, reallocate, release); }

}  // namespace rope
