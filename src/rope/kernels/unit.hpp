// Common beginning of all kernel files. Each is compiled once per instruction set, in namespace
// ROPE_CHECK_ISA_NAME. No header with emitted inline functions may be included, because the linker
// would share their code between instruction sets.
#pragma once

#ifdef __FAST_MATH__
#error "rope-check must not be compiled with -ffast-math"
#endif

#include <cstddef>
#include <cstdint>

// Marks a loop in which no iteration reads what another one wrote.
#ifdef __clang__
#define ROPE_CHECK_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define ROPE_CHECK_INDEPENDENT _Pragma("GCC ivdep")
#endif

namespace rope::ROPE_CHECK_ISA_NAME {
namespace {

using std::int32_t;
using std::int64_t;
using std::size_t;
using std::uint32_t;
using std::uint64_t;

}  // namespace
}  // namespace rope::ROPE_CHECK_ISA_NAME
