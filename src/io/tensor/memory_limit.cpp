#include "io/tensor/memory_limit.hpp"

#include "base/error.hpp"
#include "io/text/byte_count.hpp"

namespace rope::io {

void MemoryLimit::require(const std::string& file, std::uint64_t needed) const {
    if (used + needed <= bytes) return;
    throw InputError(file + ": needs " + byte_count(needed) + " of memory" +
                     (used > 0 ? " in addition to " + byte_count(used) + " of other files" : "") +
                     "; " + std::string(name) + " is " + byte_count(bytes));
}

}  // namespace rope::io
