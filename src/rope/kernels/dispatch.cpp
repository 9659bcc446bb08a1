#include <cstdlib>
#include <vector>

#include "base/error.hpp"
#include "base/printable.hpp"
#include "rope/kernels/kernels.hpp"

namespace rope {

namespace baseline {
extern const Kernels kernels;
}
#ifdef ROPE_CHECK_X86
namespace avx2 {
extern const Kernels kernels;
}
namespace avx512 {
extern const Kernels kernels;
}
#endif

namespace {

bool runs(std::string_view isa) {
#ifdef ROPE_CHECK_X86
    if (isa == "avx2")
        return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
               __builtin_cpu_supports("f16c") != 0;
    if (isa == "avx512")
        return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
               __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512vl") != 0 &&
               __builtin_cpu_supports("fma") != 0;
#endif
    return isa == "baseline";
}

const Kernels& choose() {
    const char* forced = std::getenv("ROPE_CHECK_ISA");
    for (const Kernels* candidate : every_kernels())
        if (forced == nullptr || std::string_view(forced) == candidate->isa) return *candidate;
    throw InputError("ROPE_CHECK_ISA is '" + printable(forced) +
                     "'; it must be one that this processor runs: baseline" +
                     (runs("avx2") ? ", avx2" : "") + (runs("avx512") ? ", avx512" : ""));
}

}  // namespace

std::vector<const Kernels*> every_kernels() {
    std::vector<const Kernels*> best_first{
#ifdef ROPE_CHECK_X86
        &avx512::kernels, &avx2::kernels,
#endif
        &baseline::kernels};
    std::erase_if(best_first, [](const Kernels* one) { return !runs(one->isa); });
    return best_first;
}

const Kernels& kernels() {
    static const Kernels& chosen = choose();
    return chosen;
}

}  // namespace rope
